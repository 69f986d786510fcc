/** Where to fix it: a page of the console; null if none does. */
export type Fix =
  | { page: "client"; applicationId: string; clientId: string; name: string; environment: string; tab: "secrets" }
  | { page: "endpoint"; slug: string }
  | { page: "failures"; cause: string; group: string }
  | { page: "deliveries" | "mail" | "users" | "keys" | "api-tokens" | "audit" }
  | null;

/** `object`: what it is about, to tell findings of one check apart. `startedAt`: if the data has it. */
export type Checked = {
  state: "ok" | "warning" | "failed";
  sentence: string;
  fix: Fix;
  object: string | null;
  startedAt: number | null;
};

export const ok = (sentence: string): Checked[] => [
  { state: "ok", sentence, fix: null, object: null, startedAt: null },
];

export const found = (state: "warning" | "failed", sentence: string, rest: Partial<Checked> = {}): Checked => ({
  state,
  sentence,
  fix: null,
  object: null,
  startedAt: null,
  ...rest,
});
