import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE, TOKEN_EXCHANGE } from "../harness/fixture.ts";
import { asClient, authorizePath, signIn } from "../harness/flow.ts";
import { FULL } from "../harness/gatehouse.ts";
import { type Answer, type Fields, type HeaderFields, json, send } from "../harness/http.ts";

// Random requests close to valid ones. A failure prints the seed and path with which fast-check repeats it.

const issuer = inject("issuer");
const { web, browser, device, exchanger } = CLIENTS;
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Part of every hostile value. If a response has it unescaped, the value was reflected. */
const MARK = "<fuzz'\">";
/** For one endpoint. Each run has other requests. */
const BUDGET = { numRuns: FULL ? 300 : 40 } as const;

type Target = { method: "GET" | "POST"; path: string; right: Fields; headers: HeaderFields; format: "json" | "page" };

const oauth = (path: string, client: Parameters<typeof asClient>[0], fields: Fields): Target => {
  const { fields: right, headers } = asClient(client, fields);
  return { method: "POST", path, right, headers: { ...FORM, ...headers }, format: "json" };
};
const authorization = Object.fromEntries(new URLSearchParams(authorizePath(web).split("?")[1]));

const TARGETS: Record<string, Target> = {
  "GET /authorize": { method: "GET", path: "/authorize", right: authorization, headers: {}, format: "page" },
  "POST /authorize": { method: "POST", path: "/authorize", right: authorization, headers: FORM, format: "page" },
  "GET /logout": {
    method: "GET",
    path: "/logout",
    right: { client_id: "web", state: "s" },
    headers: {},
    format: "page",
  },
  "/token, a code": oauth("/token", web, {
    grant_type: "authorization_code",
    code: "gac_x",
    code_verifier: "v".repeat(43),
  }),
  "/token, a refresh": oauth("/token", browser, {
    grant_type: "refresh_token",
    refresh_token: "grt_x",
    scope: "api:read",
  }),
  "/token, a device": oauth("/token", device, { grant_type: DEVICE_CODE, device_code: "gdc_x" }),
  "/token, for itself": oauth("/token", exchanger, {
    grant_type: "client_credentials",
    scope: "api:read",
    resource: `${issuer}/api`,
  }),
  "/token, an exchange": oauth("/token", exchanger, {
    grant_type: TOKEN_EXCHANGE,
    subject_token: "gat_x",
    subject_token_type: ACCESS_TOKEN,
  }),
  "/par": oauth("/par", web, authorization),
  "/device_authorization": oauth("/device_authorization", device, { scope: "api:read" }),
  "/revoke": oauth("/revoke", web, { token: "grt_x", token_type_hint: "refresh_token" }),
  "/introspect": oauth("/introspect", web, { token: "gat_x" }),
};

/** One encoded parameter. */
type Pair = { name: string; value: string; inQuery?: boolean };

/** A lone surrogate cannot be encoded in UTF-8. */
const wellFormed = (text: string) => text.replaceAll(/\p{Cs}/gu, "?");

const hostile = fc.oneof(
  fc.constantFrom(
    "",
    "%00",
    "%ff%fe",
    "%",
    "%zz",
    "%0d%0aSet-Cookie:%20a=b",
    "https://evil.example/cb",
    "javascript:alert(1)",
    "__proto__",
    "%F0%9F%92%A5",
    "x".repeat(3000),
    "x".repeat(70_000),
    "none%20login",
    "-1",
    "1e999",
  ),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => encodeURIComponent(wellFormed(text))),
  fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(`${MARK}${text}`)),
);

/** A valid request with up to four changes. */
function mutated({ right }: Target): fc.Arbitrary<Pair[]> {
  const pairs = Object.entries(right).map(
    ([name, value]): Pair => ({ name, value: encodeURIComponent(String(value)) }),
  );
  const at = fc.nat({ max: Math.max(0, pairs.length - 1) });
  const known = fc.constantFrom(
    ...[
      "redirect_uri",
      "resource",
      "scope",
      "state",
      "prompt",
      "max_age",
      "claims",
      "request",
      "request_uri",
      "response_mode",
    ],
    ...[
      "client_id",
      "client_secret",
      "client_assertion",
      "dpop_jkt",
      "id_token_hint",
      "login_hint",
      "audience",
      "nonce",
      "actor_token",
    ],
  );
  const change = fc.oneof(
    fc.record({ at, does: fc.constantFrom("drop", "double", "empty", "upper", "misplace") }),
    fc.record({ at, does: fc.constant("replace"), by: hostile }),
    fc.record({ at, does: fc.constant("add"), name: fc.oneof(known, hostile), by: hostile }),
  );
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => changes.reduce(apply, pairs));
}

function apply(pairs: Pair[], change: { at: number; does: string; by?: string; name?: string }): Pair[] {
  const { at, does, by = "", name = "" } = change;
  if (does === "add") return [...pairs, { name, value: by }];
  return pairs.flatMap((pair, index) => {
    if (index !== at) return [pair];
    if (does === "drop") return [];
    if (does === "double") return [pair, pair];
    if (does === "empty") return [{ ...pair, value: "" }];
    if (does === "upper") return [{ ...pair, name: pair.name.toUpperCase() }];
    return [does === "misplace" ? { ...pair, inQuery: true } : { ...pair, value: by }];
  });
}

const encoded = (pairs: Pair[]) => pairs.map(({ name, value }) => `${name}=${value}`).join("&");

/** Builds a request target; undefined if a URL cannot hold it. */
function written(
  { method, path, headers }: Target,
  pairs: Pair[],
): { path: string; method: string; headers: HeaderFields; body?: string } {
  const query = encoded(pairs.filter(({ inQuery }) => inQuery === true || method === "GET")).slice(0, 12_000);
  const body = encoded(pairs.filter(({ inQuery }) => inQuery !== true));
  const to = query === "" ? path : `${path}?${query}`;
  const from = { "x-forwarded-for": `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}` };
  return method === "GET"
    ? { path: to, method, headers: { ...headers, ...from } }
    : { path: to, method, headers: { ...headers, ...from }, body };
}

/** Must be true for every response. */
function expectSound(answer: Answer, format: Target["format"]): void {
  expect(answer.status).toSatisfy((status: number) => status < 500 || status === 503);
  expect(answer.text).not.toContain(MARK);
  expect(answer.text).not.toMatch(/node_modules|\bat .+:\d+:\d+\)|SQLITE_|drizzle/);
  for (const [name, value] of answer.headers) expect([name, value.includes(MARK)]).toEqual([name, false]);
  expectKnownPlace(answer);
  if (format === "json") expectJson(answer);
  else if (answer.status !== 303) expect(answer.headers.get("content-type")).toMatch(/^(text\/html|application\/json)/);
}

/** Our own pages, or a registered redirect URI of the client with a valid authorization response. */
function expectKnownPlace({ headers, status }: Answer): void {
  const location = headers.get("location");
  if (location === null) return;
  expect(status).toBe(303);
  if (/^\/(?!\/)/.test(location)) return;
  const { origin, pathname, searchParams, hash } = new URL(location);
  if (origin === issuer) return;
  expect(["https://app.example/cb"]).toContain(origin + pathname);
  expect([hash, searchParams.getAll("iss")]).toEqual(["", [issuer]]);
  expect([searchParams.has("code"), searchParams.has("error")].filter(Boolean)).toHaveLength(1);
}

function expectJson(answer: Answer): void {
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const body = json(answer);
  if (answer.status < 400) return;
  expect(body["error"]).toMatch(/^[a-z_]+$/);
  expect(String(body["error_description"] ?? "")).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  if (answer.status === 401) expect(answer.headers.has("www-authenticate")).toBe(true);
}

let fay: Agent;
const stranger = newAgent(issuer);
beforeAll(async () => {
  fay = await signIn(issuer, "fuzz");
});

describe("random requests close to valid ones", () => {
  test.each(Object.entries(TARGETS))("TK-10 SE-13 %s gives every request a valid response", async (_, target) => {
    const one = async (pairs: Pair[]) => {
      const { path, ...init } = written(target, pairs);
      expectSound(await send(issuer, path, init), target.format);
      if (target.format === "page") expectSound(await fay.request(path, init), target.format);
    };
    await fc.assert(fc.asyncProperty(mutated(target), one), BUDGET);
  });

  test("TK-10 SE-13 /register with any JSON, and with other bodies", async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc
        .record({ redirect_uris: fc.anything(), client_name: fc.constant(MARK), jwks: fc.anything() })
        .map((sent) => fc.stringify(sent)),
      fc.record({ redirect_uris: fc.jsonValue(), client_name: fc.constant(MARK) }).map((sent) => JSON.stringify(sent)),
    );
    const one = async (sent: string) => {
      for (const [path, method] of [
        ["/register", "POST"],
        ["/register/x", "PUT"],
      ] as const) {
        expectSound(
          await send(issuer, path, { method, headers: { "content-type": "application/json" }, body: sent }),
          "json",
        );
      }
    };
    await fc.assert(fc.asyncProperty(body, one), BUDGET);
  });

  test.each(["/api/resource", "/userinfo"])("BR-07 SE-13 %s with any Authorization header", async (path) => {
    const text = fc.string({ maxLength: 60 }).map((sent) => sent.replaceAll(/[^\x20-\x7E]/g, ""));
    const scheme = fc.constantFrom(
      "Bearer ",
      "bearer",
      "DPoP ",
      "Basic ",
      "Bearer gat_",
      "Bearer a.b.",
      "Bearer eyJhbGciOiJub25lIn0.e30.",
      "",
    );
    const one = async (start: string, rest: string, proof: string) => {
      const answer = await send(issuer, path, {
        headers: { authorization: start + rest, ...(proof !== "" && { dpop: proof }) },
      });
      expect([400, 401]).toContain(answer.status);
      expectSound(answer, "json");
    };
    const property = fc.asyncProperty(scheme, text, fc.oneof(fc.constant(""), text), one);
    await fc.assert(property, { ...BUDGET, examples: [["Bearer ", MARK, MARK]] });
  });

  test.each<[string, (agent: Agent) => Promise<Page>, string, string[]]>([
    [
      "/consent",
      (agent) => agent.open(authorizePath(web, { prompt: "consent" })),
      "Allow",
      ["request", "csrf", "decision"],
    ],
    ["/device", (agent) => agent.open("/device"), "Continue", ["user_code", "csrf", "step", "decision"]],
    ["/sign-in", () => stranger.open(authorizePath(web)), "Sign in", ["email", "password", "request", "csrf"]],
    ["/sign-up", () => stranger.open("/sign-up"), "Create account", ["email", "password", "name", "request", "csrf"]],
  ])("SE-09 SE-13 the form of %s, filled in at random", async (path, open, button, names) => {
    const agent = path.startsWith("/sign") ? stranger : fay;
    const page = await open(agent);
    const value = fc.oneof(
      fc.constant(undefined),
      fc.string({ unit: "binary", maxLength: 50 }).map((text) => wellFormed(text)),
    );
    const override = fc.dictionary(fc.constantFrom(...names, "next", "client_id"), fc.oneof(value, fc.constant(MARK)), {
      minKeys: 1,
    });
    const one = async (change: Fields) => expectSound(await agent.post(page, { button, override: change }), "page");
    await fc.assert(fc.asyncProperty(override, one), BUDGET);
  });
});
