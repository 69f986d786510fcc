import { describe, expect, test } from "vitest";
import { introspect } from "../endpoints/introspect.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import {
  basic,
  NOON,
  type ProofChange,
  post,
  proof,
  proofKey,
  read,
  SERVICE_SECRET,
  scene,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";
import { mintNonce, requireProof } from "./dpop.ts";

const KEY = proofKey();
const OTHER = proofKey("EdDSA");
const WEB = basic("shop-web", WEB_SECRET);
const SPA = { client_id: "shop-spa" };

/** What comes of a request with this `DPoP` header. */
function prove(header: string, s = scene(), nonce = false): Promise<string> {
  const request = new Request("https://gate.example/endpoint?a=b", { method: "POST", headers: { dpop: header } });
  return requireProof(request, { nonce }, s.deps);
}

describe("proofs of possession, RFC 9449 §4.3", () => {
  test("DP-01: a proof can be used once, and its hash is kept for as long as it would be accepted", async () => {
    const s = scene();
    const once = proof(KEY, { claims: { iat: NOON + 60 } });
    expect(await prove(once, s)).toBe(KEY.jkt);
    await expect(prove(once, s)).rejects.toMatchObject({ code: "invalid_dpop_proof", refusalCause: "dpop_replayed" });
    expect([...s.tables.spentIds]).toEqual([[expect.stringMatching(/^[\w-]{43}$/), NOON + 121]]);
  });

  test("DP-01 DP-02: when a nonce is required, the error contains one, valid for five minutes in every process", async () => {
    const s = scene();
    const refused = await prove(proof(KEY), s, true).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "use_dpop_nonce",
      status: 400,
      headers: { "DPoP-Nonce": expect.any(String) },
    });
    const nonce = mintNonce(s.deps);
    expect(await prove(proof(KEY, { claims: { nonce } }), s, true)).toBe(KEY.jkt);
    s.clock.now += 299;
    expect(await prove(proof(KEY, { claims: { nonce, iat: s.clock.now } }), s, true)).toBe(KEY.jkt);
    s.clock.now += 1;
    await expect(prove(proof(KEY, { claims: { nonce, iat: s.clock.now } }), s, true)).rejects.toMatchObject({
      code: "use_dpop_nonce",
    });
    await expect(prove(proof(KEY, { claims: { nonce: "made-up", iat: s.clock.now } }), s, true)).rejects.toMatchObject({
      code: "use_dpop_nonce",
    });
  });
});

const trade = (code: string, extra: Record<string, string> = {}) => ({
  grant_type: "authorization_code",
  code,
  code_verifier: VERIFIER,
  ...extra,
});
const renew = (refresh: string, extra: Record<string, string> = {}) => ({
  grant_type: "refresh_token",
  refresh_token: refresh,
  ...extra,
});

describe("bound tokens at the token endpoint, RFC 9449 §5", () => {
  test("DP-03: the access token is bound to the key, and token_type says so", async () => {
    const s = scene();
    const answer = await post(s, token, trade(await s.plantCode()), { ...WEB, dpop: proof(KEY) });
    expect(answer).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
    expect([...s.tables.accessTokens.values()][0]?.context).toMatchObject({ dpopJkt: KEY.jkt });
  });

  test("DP-03: without a proof the token is a bearer token", async () => {
    const s = scene();
    const answer = await post(s, token, trade(await s.plantCode()), WEB);
    expect(answer.body["token_type"]).toBe("Bearer");
    expect(s.tables.spentIds.size).toBe(0);
  });

  test("DP-02: an invalid proof is rejected and does not spend the code", async () => {
    const s = scene();
    const code = await s.plantCode();
    const bad = await post(s, token, trade(code), { ...WEB, dpop: proof(KEY, { claims: { htm: "GET" } }) });
    expect(bad).toMatchObject({ status: 400, body: { error: "invalid_dpop_proof" } });
    expect((await post(s, token, trade(code), { ...WEB, dpop: proof(KEY) })).status).toBe(200);
  });

  test("DP-03 RT-09: a public client's refresh token is bound, and a thief without the key revokes nothing", async () => {
    const s = scene();
    const code = await s.plantCode({ client: s.clients.browser });
    const first = await post(s, token, trade(code, SPA), { dpop: proof(KEY) });
    const refresh = textAt(first, "refresh_token");

    expect(await post(s, token, renew(refresh, SPA))).toMatchObject({
      status: 400,
      body: { error: "invalid_dpop_proof" },
    });
    expect(await post(s, token, renew(refresh, SPA), { dpop: proof(OTHER) })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    const second = await post(s, token, renew(refresh, SPA), { dpop: proof(KEY) });
    expect(second).toMatchObject({ status: 200, body: { token_type: "DPoP" } });

    // A thief replays the spent refresh token with another key: nothing is revoked.
    await post(s, token, renew(refresh, SPA), { dpop: proof(OTHER) });
    const third = await post(s, token, renew(textAt(second, "refresh_token"), SPA), { dpop: proof(KEY) });
    expect(third.status).toBe(200);
  });

  test("RT-03 RT-09: a thief who binds a stolen token to a key of its own does not escape: reuse of the token from before revokes the grant", async () => {
    for (const spent of [0, 1]) {
      const s = scene();
      const code = await s.plantCode({ client: s.clients.browser });
      const tokens = [textAt(await post(s, token, trade(code, SPA)), "refresh_token")];
      tokens.push(textAt(await post(s, token, renew(tokens[0] ?? "", SPA)), "refresh_token"));
      for (let turn = 1; turn <= 2 - spent; turn++) {
        tokens.push(
          textAt(await post(s, token, renew(tokens.at(-1) ?? "", SPA), { dpop: proof(OTHER) }), "refresh_token"),
        );
      }
      // The owner has the unbound tokens. The newest of them was spent last, or earlier.
      const owners = tokens[1] ?? "";
      expect(await post(s, token, renew(owners, SPA))).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
      const thief = await post(s, token, renew(tokens.at(-1) ?? "", SPA), { dpop: proof(OTHER) });
      expect(thief).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    }
  });

  test("DP-03: a confidential client's refresh token is not bound: the next key may differ", async () => {
    const s = scene();
    const first = await post(s, token, trade(await s.plantCode()), { ...WEB, dpop: proof(KEY) });
    const second = await post(s, token, renew(textAt(first, "refresh_token")), { ...WEB, dpop: proof(OTHER) });
    expect(second).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
    const third = await post(s, token, renew(textAt(second, "refresh_token")), WEB);
    expect(third).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
    expect([...s.tables.refreshFamilies.values()].every(({ context }) => context?.dpopJkt === undefined)).toBe(true);
  });

  test("DP-03 CF-20: a lost response is repeated for the same key only", async () => {
    const s = scene();
    const first = await post(s, token, trade(await s.plantCode()), { ...WEB, dpop: proof(KEY) });
    const refresh = textAt(first, "refresh_token");
    const second = await post(s, token, renew(refresh), { ...WEB, dpop: proof(KEY) });
    expect((await post(s, token, renew(refresh), { ...WEB, dpop: proof(KEY) })).body).toEqual(second.body);
    expect(await post(s, token, renew(refresh), { ...WEB, dpop: proof(OTHER) })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("DP-06: a client registered for bound tokens gets only those, with every grant", async () => {
    const s = scene();
    s.changeClient("shop-worker", { options: { dpopBound: true } });
    const auth = basic("shop-worker", SERVICE_SECRET);
    const bare = await post(s, token, { grant_type: "client_credentials" }, auth);
    expect(bare).toMatchObject({ status: 400, body: { error: "invalid_dpop_proof" } });
    const bound = await post(s, token, { grant_type: "client_credentials" }, { ...auth, dpop: proof(KEY) });
    expect(bound).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
  });

  test("DP-02: a client registered for nonces gets one with 400, without an entry in the ledger", async () => {
    const s = scene();
    s.changeClient("shop-worker", { options: { dpopNonce: true } });
    const auth = basic("shop-worker", SERVICE_SECRET);
    const asked = await post(s, token, { grant_type: "client_credentials" }, { ...auth, dpop: proof(KEY) });
    expect(asked).toMatchObject({ status: 400, body: { error: "use_dpop_nonce" } });
    expect(s.tables.refusals).toEqual([]);
    const nonce = asked.headers.get("dpop-nonce") ?? "";
    const bound = await post(
      s,
      token,
      { grant_type: "client_credentials" },
      { ...auth, dpop: proof(KEY, { claims: { nonce } }) },
    );
    expect(bound.status).toBe(200);
  });
});

/** A bound token of the service client, and calls to the API with it. */
async function atApi(options: { dpopNonce?: boolean } = {}) {
  const s = scene();
  s.changeClient("shop-worker", { options });
  const auth = basic("shop-worker", SERVICE_SECRET);
  const nonce = mintNonce(s.deps);
  const answer = await post(
    s,
    token,
    { grant_type: "client_credentials" },
    { ...auth, dpop: proof(KEY, { claims: { nonce } }) },
  );
  const secret = textAt(answer, "access_token");
  const good = { claims: { htm: "GET", htu: "https://gate.example/api/resource" }, accessToken: secret };
  return {
    s,
    secret,
    auth,
    proof: (change: ProofChange = {}, key = KEY) =>
      proof(key, { ...good, ...change, claims: { ...good.claims, ...change.claims } }),
    async knock(headers: Record<string, string>) {
      const request = new Request("https://gate.example/api/resource", { headers });
      const result = await requireBearer(request, { scope: "api:read" }, s.deps, s.caller);
      if (result.ok) return { status: 200, challenge: "", body: {}, headers: new Headers() };
      const refused = await read(result.response);
      return { ...refused, challenge: refused.headers.get("www-authenticate") ?? "" };
    },
  };
}

describe("bound tokens at the guard, RFC 9449 §7", () => {
  test.each(["DPoP", "dpop", "DPOP"])(
    "DP-04: opens with the token, the scheme written %s, and a proof for this very request",
    async (scheme) => {
      const at = await atApi();
      expect((await at.knock({ authorization: `${scheme} ${at.secret}`, dpop: at.proof() })).status).toBe(200);
    },
  );

  test.each<[string, string, string | undefined, (at: Awaited<ReturnType<typeof atApi>>) => string | undefined]>([
    ["no proof", "invalid_dpop_proof", "dpop_missing", () => undefined],
    [
      "a proof without ath",
      "invalid_dpop_proof",
      "dpop_of_other_request",
      (at) => at.proof({ claims: { ath: undefined } }),
    ],
    [
      "the ath of another token",
      "invalid_dpop_proof",
      "dpop_of_other_request",
      (at) => at.proof({ accessToken: "gat_other" }),
    ],
    [
      "a proof for the token endpoint",
      "invalid_dpop_proof",
      "dpop_of_other_request",
      (at) => at.proof({ claims: { htm: "POST", htu: "https://gate.example/token" } }),
    ],
    ["a proof with another key", "invalid_token", "dpop_key_differs", (at) => at.proof({}, OTHER)],
  ])("DP-04: %s is 401 %s in the scheme of the request", async (_, error, cause, make) => {
    const at = await atApi();
    const dpop = make(at);
    const answer = await at.knock({ authorization: `DPoP ${at.secret}`, ...(dpop !== undefined && { dpop }) });
    expect(answer).toMatchObject({ status: 401, body: { error } });
    expect(answer.challenge).toMatch(
      new RegExp(`^DPoP realm="gatehouse", error="${error}", .*algs="RS256 ES256 EdDSA Ed25519"$`),
    );
    expect(answer.challenge).not.toContain("Bearer");
    expect(at.s.tables.refusals.at(-1)).toMatchObject({ cause, clientId: "shop-worker" });
  });

  test("DP-04: a proof can be used once", async () => {
    const at = await atApi();
    const headers = { authorization: `DPoP ${at.secret}`, dpop: at.proof() };
    expect((await at.knock(headers)).status).toBe(200);
    expect(await at.knock(headers)).toMatchObject({ status: 401, body: { error: "invalid_dpop_proof" } });
  });

  test("DP-04: a token of a client registered for nonces also needs one here", async () => {
    const at = await atApi({ dpopNonce: true });
    const asked = await at.knock({ authorization: `DPoP ${at.secret}`, dpop: at.proof() });
    expect(asked).toMatchObject({ status: 401, body: { error: "use_dpop_nonce" } });
    expect(asked.challenge).toMatch(/^DPoP .*error="use_dpop_nonce"/);
    const nonce = asked.headers.get("dpop-nonce") ?? "";
    expect((await at.knock({ authorization: `DPoP ${at.secret}`, dpop: at.proof({ claims: { nonce } }) })).status).toBe(
      200,
    );
  });

  test("DP-05: a bound token sent as a bearer token is 401, with and without a proof", async () => {
    const at = await atApi();
    for (const dpop of [{}, { dpop: at.proof() }]) {
      const answer = await at.knock({ authorization: `Bearer ${at.secret}`, ...dpop });
      expect(answer).toMatchObject({ status: 401, body: { error: "invalid_token" } });
      expect(answer.challenge).toMatch(/^Bearer .*error="invalid_token".*, DPoP algs="/);
    }
  });

  test("DP-05: a bearer token sent with the DPoP scheme is 401", async () => {
    const at = await atApi();
    const bearer = textAt(await post(at.s, token, { grant_type: "client_credentials" }, at.auth), "access_token");
    const answer = await at.knock({ authorization: `DPoP ${bearer}`, dpop: at.proof({ accessToken: bearer }) });
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  });

  test("DP-07: without a token the challenge has both schemes and no error", async () => {
    const at = await atApi();
    for (const headers of [{}, { authorization: "DPoP" }] as Record<string, string>[]) {
      const answer = await at.knock(headers);
      expect(answer.status).toBe(401);
      expect(answer.challenge).toMatch(/^Bearer realm="gatehouse", .*, DPoP algs="RS256 ES256 EdDSA Ed25519"$/);
      expect(answer.challenge).not.toContain("error");
    }
  });

  test("IN-03: introspection names the key and the type of a bound token", async () => {
    const at = await atApi();
    const answer = await post(at.s, introspect, { token: at.secret }, at.auth);
    expect(answer.body).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt: KEY.jkt } });
  });
});
