/** Why something counts as having no check. */
export type Problem =
  | "none"
  | "not_awaited"
  | "late"
  | "conditional"
  | "in_try"
  | "nested"
  | "undecided"
  | "always_true"
  | "client"
  | "unknown"
  | "pages_router";

/** What was found out about one thing that requests reach. `by`: the check, as it is written. */
export type Verdict =
  | { kind: "checked"; by: string }
  /** Shows nothing but what is in its source. */
  | { kind: "passive" }
  | { kind: "open"; problem: Problem; detail?: string | undefined; line?: number | undefined };

const TEXT: Record<Problem, (detail: string) => string> = {
  none: () => "no check",
  not_awaited: (call) => `${call} is not awaited`,
  late: (call) => `${call} comes after other code`,
  conditional: (call) => `${call} runs on a condition`,
  in_try: (call) => `${call} is inside try`,
  nested: (call) => `${call} is in a nested function`,
  undecided: () => "auth() decides nothing",
  always_true: () => "auth() is never false",
  client: () => "runs in the browser",
  unknown: (what) => `cannot follow ${what}`,
  pages_router: () => "Pages Router",
};

/** In a few words, for a table. */
export const inBrief = (problem: Problem, detail = "it"): string => TEXT[problem](detail);

const WHY: Record<Problem, (detail: string) => string> = {
  none: () => "Nothing here asks who sent the request.",
  not_awaited: (call) => `Without await, the code goes on before ${call} has decided.`,
  late: (call) => `What stands before ${call} runs for everybody. Move the check to the top.`,
  conditional: (call) => `${call} is skipped when its condition is false. Move it out of the condition.`,
  in_try: (call) => `${call} ends the request by throwing, which try catches. Move it out of try.`,
  nested: (call) => `${call} runs only if the function around it is called. Move it to the top.`,
  undecided: () =>
    "auth() says who sent the request and refuses nobody. End the request without a user, or use auth.protect().",
  always_true: () => "auth() returns an object for everybody. Compare its user: if (!session.user) …",
  client: () => "Code in the browser checks nothing. Render it in a server component that does.",
  unknown: (what) => `What happens in ${what} cannot be read from the source, so it counts as no check.`,
  pages_router: () => "Routes in the folder pages cannot be checked. Move it to the App Router.",
};

/** In a sentence or two, with what to do about it. */
export const explain = (problem: Problem, detail = "It"): string => WHY[problem](detail);
