/** What is compared, as `app/subjects/index.js` has it. */
export const SUBJECTS = ["floor", "gatehouse", "next-auth", "better-auth", "better-auth-stored"] as const;
export type SubjectName = (typeof SUBJECTS)[number];

/** In milliseconds, the medians of a round: within the server, and what the client waits behind the proxy. */
export type Times = { who: number; proxy: number; wait: number };
export type Round = Record<SubjectName, Times>;

/** What all of them have in common with a product: the cookies of one user in each, and what is installed. */
export type Measured = {
  cookies: Record<SubjectName, string>;
  versions: Record<"next" | "next-auth" | "better-auth", string>;
};
