import { API_SCOPE, basic, SERVICE, STRIPE_SECRET, VERIFIER, WEB } from "./fixture.ts";
import type { Mintable, PathName } from "./subject.ts";
import type { HttpRequest, Traffic } from "./traffic.ts";

type Body = Record<string, unknown>;
/** What requests are made from: the subject's path, its mint, and the number of values the run can use. */
type Inputs = {
  path: string;
  mint: (kind: Mintable, count: number) => Promise<string[]>;
  codes: number;
  seconds: number;
  connections: number;
};

export type Workload = {
  slug: string;
  title: string;
  path: PathName;
  connections: number;
  status: number;
  /** Whether the response is correct; checked once, before the load. */
  holds: (body: Body | undefined) => boolean;
  traffic: (inputs: Inputs) => Promise<Traffic>;
  /** Targets in requests a second, as a multiple of node-oidc-provider, the floor and Next's static page. */
  targets?: { peer?: number; floor?: number; next?: number; postgres?: number };
};

const CONNECTIONS = 32;
/** More than any subject stores. */
const EVENTS_PER_SECOND = 20_000;
const FORM = "application/x-www-form-urlencoded";

const get = (path: string, headers: Record<string, string> = {}): HttpRequest => ({ method: "GET", path, headers, body: "" });
const form = (path: string, client: { id: string; secret: string }, fields: Record<string, string>): HttpRequest => ({
  method: "POST",
  path,
  headers: { Authorization: basic(client), "Content-Type": FORM },
  // The placeholder must keep its braces.
  body: new URLSearchParams(fields).toString().replace("%7Bvalue%7D", "{value}"),
});

const isToken = (body: Body | undefined) => typeof body?.["access_token"] === "string";
const isTokenPair = (body: Body | undefined) => isToken(body) && typeof body?.["refresh_token"] === "string";
const anything = () => true;

const clientCredentials = {
  path: "token",
  status: 200,
  holds: isToken,
  traffic: async ({ path }) => ({
    kind: "fixed",
    request: form(path, SERVICE, { grant_type: "client_credentials", scope: API_SCOPE }),
  }),
} as const satisfies Partial<Workload>;

const fixedGet = (path: PathName, status: number, holds: Workload["holds"]) =>
  ({ path, status, holds, traffic: async (inputs: Inputs): Promise<Traffic> => ({ kind: "fixed", request: get(inputs.path) }) }) as const;

const loaded: Omit<Workload, "connections">[] = [
  { slug: "client-credentials", title: "client credentials", targets: { peer: 2.8, floor: 1, postgres: 0.6 }, ...clientCredentials },
  {
    slug: "refresh",
    title: "refresh rotation",
    targets: { peer: 4.3, floor: 1.3 },
    path: "token",
    status: 200,
    holds: isTokenPair,
    traffic: async ({ path, mint, connections }) => ({
      kind: "chain",
      request: form(path, WEB, { grant_type: "refresh_token", refresh_token: "{value}" }),
      first: await mint("refreshToken", connections + 1),
      member: "refresh_token",
    }),
  },
  {
    slug: "code",
    title: "code exchange, PKCE",
    targets: { peer: 4.2, floor: 1.2 },
    path: "token",
    status: 200,
    holds: isTokenPair,
    traffic: async ({ path, mint, codes }) => ({
      kind: "each",
      request: form(path, WEB, {
        grant_type: "authorization_code",
        code: "{value}",
        code_verifier: VERIFIER,
        redirect_uri: WEB.redirectUri,
      }),
      values: await mint("code", codes),
    }),
  },
  {
    slug: "introspection",
    title: "introspection",
    targets: { peer: 2.7, floor: 0.7, postgres: 0.6 },
    path: "introspection",
    status: 200,
    holds: (body) => body?.["active"] === true,
    traffic: async ({ path, mint }) => {
      const [token = ""] = await mint("accessToken", 1);
      return { kind: "fixed", request: form(path, SERVICE, { token }) };
    },
  },
  {
    slug: "bearer",
    title: "bearer resource",
    targets: { peer: 1.3, floor: 0.75 },
    path: "resource",
    status: 200,
    holds: (body) => body !== undefined,
    traffic: async ({ path, mint }) => {
      const [token = ""] = await mint("accessToken", 1);
      return { kind: "fixed", request: get(path, { Authorization: `Bearer ${token}` }) };
    },
  },
  { slug: "guard", title: "guard, 401", targets: { peer: 1, floor: 0.65 }, ...fixedGet("guard", 401, anything) },
  {
    slug: "webhook",
    title: "webhook, Stripe signature, stored",
    targets: { floor: 1.2 },
    path: "webhook",
    status: 200,
    holds: anything,
    traffic: async ({ path, seconds }) => ({ kind: "stripe", path, secret: STRIPE_SECRET, count: Math.ceil(EVENTS_PER_SECOND * seconds) }),
  },
  {
    slug: "metadata",
    title: "metadata",
    targets: { peer: 4, floor: 0.75 },
    ...fixedGet("metadata", 200, (body) => typeof body?.["token_endpoint"] === "string"),
  },
  { slug: "sign-in-page", title: "sign-in page (Next: a static page)", targets: { next: 0.67 }, ...fixedGet("signInPage", 200, anything) },
  {
    slug: "consent-page",
    title: "consent page (Next: a static page)",
    targets: { next: 0.67 },
    path: "consentPage",
    status: 200,
    holds: anything,
    traffic: async ({ path, mint }) => {
      const [visit = " "] = await mint("consentVisit", 1);
      const [query, cookie = ""] = visit.split(" ");
      return { kind: "fixed", request: get(`${path}${query}`, { Cookie: cookie }) };
    },
  },
  { slug: "noop", title: "no-op route handler", ...fixedGet("noop", 200, (body) => body?.["ok"] === true) },
  {
    slug: "noop-proxy",
    title: "no-op route handler behind proxy.ts",
    ...fixedGet("noopBehindProxy", 200, (body) => body?.["ok"] === true),
  },
];

/** The workloads, in the order of the report. */
export const WORKLOADS: readonly Workload[] = [
  ...loaded.map((workload) => ({ ...workload, connections: CONNECTIONS })),
  { slug: "client-credentials-alone", title: "client credentials, one connection", connections: 1, ...clientCredentials },
];
