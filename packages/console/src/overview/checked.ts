import type { Environment } from "@gatehouse/auth";

/** Where to fix it: a page of the console; null if none does. */
export type Fix =
  | { page: "client"; applicationId: string; clientId: string; name: string; environment: string; tab: "secrets" }
  | { page: "endpoint"; slug: string }
  | { page: "failures"; cause: string; group: string }
  | { page: "deliveries" | "mail" | "users" | "keys" | "api-tokens" | "audit" }
  | null;

/** The least role that can do something about a finding. */
type Who = "admin" | "developer";

/** `object`: what it is about, to tell findings of one check apart. `startedAt`: if the data has it. */
export type Checked = {
  state: "ok" | "warning" | "failed";
  /** What is wrong, for everybody. */
  sentence: string;
  /** What to do about it, for those who can. */
  advice: string | null;
  who: Who;
  fix: Fix;
  object: string | null;
  startedAt: number | null;
};

export const ok = (sentence: string): Checked[] => [
  { state: "ok", sentence, advice: null, who: "admin", fix: null, object: null, startedAt: null },
];

export const found = (state: "warning" | "failed", sentence: string, rest: Partial<Checked> = {}): Checked => ({
  state,
  sentence,
  advice: null,
  who: "admin",
  fix: null,
  object: null,
  startedAt: null,
  ...rest,
});

/** Who manages what is of this environment; null for what is of none. */
export const managerOf = (environment: Environment | null): Who =>
  environment === "development" || environment === "staging" ? "developer" : "admin";
