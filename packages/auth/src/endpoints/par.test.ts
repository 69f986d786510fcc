import { describe, expect, test } from "vitest";
import { decideConsent, openConsent } from "../authorization/consent.ts";
import { restartPath } from "../authorization/pending-request.ts";
import type { Client } from "../clients/client.ts";
import type { Throttle } from "../http/throttle.ts";
import {
  type Answer,
  basic,
  landed,
  type Pairs,
  post,
  proof,
  proofKey,
  query,
  read,
  remembered,
  type Scene,
  scene,
  sealedOf,
  signIn,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";
import { authorize, resumeAuthorization } from "./authorize.ts";
import { pushedAuthorizationRequest } from "./par.ts";
import { token } from "./token.ts";

const WEB = basic("shop-web", WEB_SECRET);
const KEY = proofKey();

function push(s: Scene, change: Pairs = {}, headers: Record<string, string> = WEB, more = ""): Promise<Answer> {
  return post(s, pushedAuthorizationRequest, [...query(change, more)], headers);
}

/** A scene with a throttle that allows three requests, and a public client that pushes. */
/** A scene in which limits are small: a client may push three times, a trusted one five times, a network four times. */
function flooded() {
  const s = scene();
  const limit = (most: number): Throttle => {
    const counts = new Map<string, number>();
    return {
      waitSeconds: (key) => ((counts.get(key) ?? 0) >= most ? 30 : 0),
      failed: async (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    };
  };
  s.deps.pushLimits = { client: limit(3), trustedClient: limit(5), network: limit(4) };
  return { s, push: () => push(s, { client_id: "shop-spa", redirect_uri: "https://spa.example/cb" }, {}) };
}

/** The browser's part, with nothing but what RFC 9126 §4 asks for. */
function open(s: Scene, pushed: Answer, clientId = "shop-web", more = "", session: Scene["active"] | null = s.active) {
  const params = new URLSearchParams({ client_id: clientId, request_uri: textAt(pushed, "request_uri") });
  return authorize(new URLSearchParams(`${params}${more}`), session ?? undefined, s.deps, s.caller);
}

describe("POST /par, RFC 9126 §2", () => {
  test("PA-01: returns 201 with a request_uri of 256 random bits, valid for a minute, never cached", async () => {
    const s = scene();
    const answer = await push(s);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: 60,
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const stored = JSON.stringify([...s.tables.pushedRequests.values()]);
    expect(stored).not.toContain(textAt(answer, "request_uri").slice(-43));
    expect(stored).not.toContain("gcs_");
  });

  test.each<[string, Pairs, Record<string, string>, number]>([
    ["the secret in the body", { client_secret: WEB_SECRET }, {}, 201],
    ["a public client", { client_id: "shop-spa", redirect_uri: "https://spa.example/cb" }, {}, 201],
    ["CA-06 a confidential client without its secret", {}, {}, 401],
    ["a wrong secret", {}, basic("shop-web", "wrong"), 401],
    ["an unknown client", { client_id: "nobody" }, {}, 401],
    ["the client_id of another client", { client_id: "other-web" }, WEB, 401],
  ])("PA-01: authenticates as the token endpoint does: %s", async (_, change, headers, status) => {
    expect((await push(scene(), change, headers)).status).toBe(status);
  });

  test.each<[string, Pairs, string]>([
    ["no response_type", { response_type: undefined }, "invalid_request"],
    ["response_type token", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["an unknown scope", { scope: "admin:all" }, "invalid_scope"],
    ["a foreign resource", { resource: "https://elsewhere.example/api" }, "invalid_target"],
    ["no redirect_uri", { redirect_uri: undefined }, "invalid_request"],
    ["PA-06 an unregistered redirect_uri", { redirect_uri: "https://evil.example/cb" }, "invalid_request"],
    ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
    [
      "a request_uri that this server could have issued",
      { request_uri: "urn:ietf:params:oauth:request_uri:x" },
      "invalid_request",
    ],
    ["a request_uri of another server", { request_uri: "https://app.example/request" }, "invalid_request"],
    ["a dpop_jkt that is none", { dpop_jkt: "short" }, "invalid_request"],
    ["an unknown prompt", { prompt: "later" }, "invalid_request"],
  ])("PA-02: validates as the authorization endpoint does: %s is 400 in JSON", async (_, change, error) => {
    const s = scene();
    expect(await push(s, change)).toMatchObject({ status: 400, body: { error, error_id: expect.any(String) } });
    expect(s.tables.pushedRequests.size).toBe(0);
  });

  test("PA-02: rejects a repeated parameter, except resource", async () => {
    expect(await push(scene(), {}, WEB, "&state=again")).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
    const api = "&resource=https://gate.example/api";
    expect((await push(scene(), {}, WEB, api + api)).status).toBe(201);
  });

  test("PA-02: rejects a client without the grant", async () => {
    const s = scene();
    s.changeClient("shop-web", { grantTypes: ["client_credentials"] });
    expect(await push(s)).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
  });

  test("PA-01: a request that is too long for a page is 413", async () => {
    expect(await push(scene(), { state: "x".repeat(9000) })).toMatchObject({
      status: 413,
      body: { error: "invalid_request" },
    });
    expect((await push(scene(), { state: "x".repeat(80_000) })).status).toBe(413);
  });

  test.each(["GET", "PUT", "DELETE"])("PA-01: %s is 405", async (method) => {
    const s = scene();
    const answer = await read(
      await pushedAuthorizationRequest(new Request("https://gate.example/par", { method }), s.deps, s.caller),
    );
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
  });

  test.each([
    ["addresses of one /64", "2001:db8:1:2::7", "2001:db8:1:2:ffff::8"],
    ["unknown addresses", null, null],
  ])("PA-01 SE-07: floods from %s count together", async (_, one, other) => {
    const { s, push: pushSpa } = flooded();
    const statuses: number[] = [];
    for (const address of [one, other, one, other]) {
      s.caller.address = address;
      statuses.push((await pushSpa()).status);
    }
    expect(statuses).toEqual([201, 201, 201, 429]);
  });

  test("PA-01: a flood in a public client's name is 429, without affecting others", async () => {
    const { s, push: pushSpa } = flooded();
    for (const status of [201, 201, 201, 429]) expect((await pushSpa()).status).toBe(status);
    expect((await pushSpa()).headers.get("retry-after")).toBe("30");
    expect((await push(s)).status).toBe(201);
  });

  test("PA-01: confidential clients are limited too: those of admins by their own limit, others like public ones", async () => {
    const { s } = flooded();
    for (const status of [201, 201, 201, 201, 201, 429]) expect((await push(s)).status).toBe(status);
    s.changeClient("other-web", { origin: "dynamic" });
    const pushOther = () =>
      push(s, { client_id: "other-web", redirect_uri: "https://other.example/cb" }, basic("other-web", WEB_SECRET));
    for (const status of [201, 201, 201, 429]) expect((await pushOther()).status).toBe(status);
  });

  test("PA-01: clients of one network count together, unless an admin registered them as confidential", async () => {
    const { s, push: pushSpa } = flooded();
    s.changeClient("other-web", { origin: "dynamic" });
    const pushOther = () =>
      push(s, { client_id: "other-web", redirect_uri: "https://other.example/cb" }, basic("other-web", WEB_SECRET));
    expect([
      (await pushSpa()).status,
      (await pushSpa()).status,
      (await pushOther()).status,
      (await pushOther()).status,
    ]).toEqual(Array(4).fill(201));
    expect([(await pushSpa()).status, (await pushOther()).status]).toEqual([429, 429]);
    expect((await push(s)).status).toBe(201);
    s.caller.address = "198.51.100.9";
    expect((await pushSpa()).status).toBe(201);
  });
});

describe("a pushed request at the authorization endpoint, RFC 9126 §4", () => {
  test("PA-03 AZ-27: client_id and request_uri are enough", async () => {
    const s = remembered();
    expect(landed(await open(s, await push(s)))).toMatchObject({
      to: "https://app.example/cb",
      state: "s1",
      code: expect.any(String),
    });
  });

  test("PA-03: other parameters in the query are ignored, repeated or not", async () => {
    const s = remembered();
    const more =
      "&state=other&redirect_uri=https://evil.example&scope=admin&state=third&response_type=token&prompt=none&resource=x";
    expect(landed(await open(s, await push(s), "shop-web", more))).toMatchObject({
      to: "https://app.example/cb",
      state: "s1",
    });
  });

  test.each<[string, string, (s: Scene, pushed: Answer) => Promise<unknown>]>([
    ["another client", "pushed_request_of_other_client", (s, pushed) => open(s, pushed, "other-web")],
    ["no client", "pushed_request_of_other_client", (s, pushed) => open(s, pushed, "")],
    [
      "an expired reference",
      "pushed_request_expired",
      (s, pushed) => {
        s.clock.now += 60;
        return open(s, pushed);
      },
    ],
    [
      "an unknown reference",
      "pushed_request_unknown",
      (s, { body, ...rest }) => open(s, { ...rest, body: { request_uri: `${body["request_uri"]}x` } }),
    ],
    [
      "one that was answered",
      "pushed_request_used",
      async (s, pushed) => {
        landed(await open(s, pushed));
        return open(s, pushed);
      },
    ],
  ])("PA-03: %s is an error page with 400, without a redirect", async (_, cause, ask) => {
    const s = remembered();
    const result = await ask(s, await push(s));
    expect(result).toMatchObject({ kind: "refuse", error: { code: "invalid_request_uri", status: 400 } });
    expect(s.tables.refusals.at(-1)).toMatchObject({ cause });
  });

  test("AZ-27: a foreign request_uri is an error redirected to the client", async () => {
    const s = remembered();
    const foreign = query({ request_uri: "https://app.example/request" });
    expect(landed(await authorize(foreign, s.active, s.deps, s.caller))).toMatchObject({
      error: "request_uri_not_supported",
    });
  });

  test("PA-04: it can be opened again until the user has decided, and sign-in may outlast its expiry", async () => {
    const s = scene();
    const pushed = await push(s);
    await open(s, pushed, "shop-web", "", null);
    const sealed = sealedOf(await open(s, pushed, "shop-web", "", null), "sign_in");
    s.clock.now += 600;
    const session = await signIn(s);
    const consent = sealedOf(await resumeAuthorization(sealed, session, s.deps, s.caller), "consent");
    expect(await openConsent(consent, session, s.deps)).toMatchObject({ client: { clientId: "shop-web" } });
    expect(landed(await decideConsent(consent, "allow", session, s.deps, s.caller))).toMatchObject({
      state: "s1",
      code: expect.any(String),
    });
  });

  test.each(["allow", "deny"] as const)("PA-04: after %s no other page of it works", async (decision) => {
    const s = scene();
    const pushed = await push(s);
    const pages = [sealedOf(await open(s, pushed), "consent"), sealedOf(await open(s, pushed), "consent")];
    const [first, second] = await Promise.all(
      pages.map((page) => decideConsent(page, decision, s.active, s.deps, s.caller)),
    );
    expect([first?.kind, second?.kind].sort()).toEqual(["redirect", "refuse"]);
    expect(s.tables.codes.size).toBe(decision === "allow" ? 1 : 0);
  });

  test("PA-04: of 50 concurrent authorizations one gets a code", async () => {
    const s = remembered();
    const pushed = await push(s);
    const results = await Promise.all(Array.from({ length: 50 }, () => open(s, pushed)));
    expect(results.filter(({ kind }) => kind === "redirect")).toHaveLength(1);
    expect(s.tables.codes.size).toBe(1);
  });

  test("PA-03: an expired page has no link to start again: only the client can push", async () => {
    const s = scene();
    const sealed = sealedOf(await open(s, await push(s)), "consent");
    expect(restartPath(sealed, s.deps)).toBeUndefined();
    s.clock.now += 3600;
    expect(await decideConsent(sealed, "allow", s.active, s.deps, s.caller)).not.toHaveProperty("restart");
  });

  test.each<[string, Partial<Client>]>([
    ["switched off", { enabled: false }],
    ["registered elsewhere", { redirectUris: ["https://new.example/cb"] }],
  ])("PA-03: a client that was %s meanwhile gets nothing", async (_, change) => {
    const s = remembered();
    const pushed = await push(s);
    s.changeClient("shop-web", change);
    expect(await open(s, pushed)).toMatchObject({ kind: "refuse" });
  });

  test("PA-05: a client that must push is rejected with plain parameters and accepted with pushed ones", async () => {
    const s = remembered();
    s.changeClient("shop-web", { options: { requirePushedRequests: true } });
    const plain = await authorize(query(), s.active, s.deps, s.caller);
    expect(landed(plain)).toMatchObject({ error: "invalid_request", state: "s1" });
    expect(s.tables.refusals.at(-1)).toMatchObject({ cause: "request_not_pushed" });
    expect(landed(await open(s, await push(s)))).toHaveProperty("code");
  });
});

describe("a code bound to a key, RFC 9449 §10", () => {
  const redeem = (s: Scene, code: string, headers: Record<string, string>) =>
    post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, { ...WEB, ...headers });

  test.each<[string, Pairs, Record<string, string>]>([
    ["named by dpop_jkt", { dpop_jkt: KEY.jkt }, {}],
    ["proven while pushing", {}, { dpop: proof(KEY) }],
    ["both", { dpop_jkt: KEY.jkt }, { dpop: proof(KEY) }],
  ])("PA-07 DP-06: %s, it can be redeemed with that key only", async (_, change, headers) => {
    const s = remembered();
    const { code = "" } = landed(await open(s, await push(s, change, { ...WEB, ...headers })));
    expect(await redeem(s, code, {})).toMatchObject({ status: 400, body: { error: "invalid_dpop_proof" } });
    expect(await redeem(s, code, { dpop: proof(proofKey()) })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await redeem(s, code, { dpop: proof(KEY) })).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
  });

  test("DP-06: dpop_jkt works without pushing too", async () => {
    const s = remembered();
    const { code = "" } = landed(await authorize(query({ dpop_jkt: KEY.jkt }), s.active, s.deps, s.caller));
    expect(await redeem(s, code, { dpop: proof(proofKey()) })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect((await redeem(s, code, { dpop: proof(KEY) })).status).toBe(200);
  });

  test("PA-07: rejects a proof of another key than dpop_jkt, and an invalid proof", async () => {
    const s = scene();
    expect(await push(s, { dpop_jkt: proofKey().jkt }, { ...WEB, dpop: proof(KEY) })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
    expect(await push(s, {}, { ...WEB, dpop: "bad" })).toMatchObject({
      status: 400,
      body: { error: "invalid_dpop_proof" },
    });
  });
});
