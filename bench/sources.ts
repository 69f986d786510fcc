import { API_SCOPE, basic, SERVICE, STRIPE_SECRET, VERIFIER, WEB } from "./fixture.ts";
import type { Mintable, Paths } from "./subject.ts";
import type { HttpRequest, Source } from "./traffic.ts";

/** What requests are made from: the subject's paths and its mint, and how much a run can use. */
export type Inputs = {
  paths: Paths;
  mint: (kind: Mintable, count: number) => Promise<string[]>;
  codes: number;
  seconds: number;
  connections: number;
  /** How many tokens "many" are. */
  manyTokens: number;
};

export type SourceOf = (inputs: Inputs) => Promise<Source>;

/** More than any subject stores. */
const EVENTS_PER_SECOND = 20_000;
const FORM = "application/x-www-form-urlencoded";

const get = (path: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: "GET",
  path,
  headers,
  body: "",
});
const form = (path: string, client: { id: string; secret: string }, fields: Record<string, string>): HttpRequest => ({
  method: "POST",
  path,
  headers: { Authorization: basic(client), "Content-Type": FORM },
  // The placeholder must keep its braces.
  body: new URLSearchParams(fields).toString().replace("%7Bvalue%7D", "{value}"),
});

export const clientCredentials: SourceOf = async ({ paths }) => ({
  kind: "fixed",
  request: form(paths.token ?? "", SERVICE, { grant_type: "client_credentials", scope: API_SCOPE }),
});

export const refresh: SourceOf = async ({ paths, mint, connections }) => ({
  kind: "chain",
  request: form(paths.token ?? "", WEB, { grant_type: "refresh_token", refresh_token: "{value}" }),
  // For the warm-up and the measurement; one more of each for the check, and for what wrk asks to see how requests
  // look.
  first: await mint("refreshToken", 2 * (connections + 3)),
  member: "refresh_token",
});

export const codeExchange: SourceOf = async ({ paths, mint, codes }) => ({
  kind: "each",
  request: form(paths.token ?? "", WEB, {
    grant_type: "authorization_code",
    code: "{value}",
    code_verifier: VERIFIER,
    redirect_uri: WEB.redirectUri,
  }),
  values: await mint("code", codes),
});

/** Introspection of this many tokens in turn. */
export const introspection =
  (count: number | "many"): SourceOf =>
  async ({ paths, mint, manyTokens }) => ({
    kind: "turn",
    request: form(paths.introspection ?? "", SERVICE, { token: "{value}" }),
    values: await mint("accessToken", count === "many" ? manyTokens : count),
  });

/** Requests to a guarded resource with this many tokens in turn. */
export const bearer =
  (count: number | "many"): SourceOf =>
  async ({ paths, mint, manyTokens }) => ({
    kind: "turn",
    request: get(paths.resource ?? "", { Authorization: "Bearer {value}" }),
    values: await mint("accessToken", count === "many" ? manyTokens : count),
  });

export const webhook: SourceOf = async ({ paths, seconds }) => ({
  kind: "stripe",
  path: paths.webhook ?? "",
  secret: STRIPE_SECRET,
  count: Math.ceil(EVENTS_PER_SECOND * seconds),
});

export const consentPage: SourceOf = async ({ paths, mint }) => {
  const [visit = " "] = await mint("consentVisit", 1);
  const [query, cookie = ""] = visit.split(" ");
  return { kind: "fixed", request: get(`${paths.consentPage}${query}`, { Cookie: cookie }) };
};

/** The same GET of a path again and again. */
export const getOf =
  (name: keyof Paths): SourceOf =>
  async ({ paths }) => ({ kind: "fixed", request: get(paths[name] ?? "") });
