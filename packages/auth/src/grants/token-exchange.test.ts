import { ACR } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import type { Client } from "../clients/client.ts";
import { storageHash } from "../crypto/secret.ts";
import { introspect } from "../endpoints/introspect.ts";
import { revoke } from "../endpoints/revoke.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import {
  type Answer,
  basic,
  post,
  type Scene,
  SERVICE_SECRET,
  scene,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";
import { TOKEN_EXCHANGE_GRANT } from "./table.ts";
import { TOKEN_TYPE_URN } from "./token-exchange.ts";

const API = basic("shop-api", SERVICE_SECRET);
const WORKER = basic("shop-worker", SERVICE_SECRET);
const WEB = basic("shop-web", WEB_SECRET);

/** A scene in which the web client holds a user's token for our API, and the API may exchange it. */
async function held(change: Partial<Client> = {}, scope = "api:read api:write offline_access") {
  const s = scene();
  const grantTypes = ["client_credentials", TOKEN_EXCHANGE_GRANT] as const;
  s.changeClient("shop-api", { grantTypes, scopes: ["api:read", "api:write"], ...change });
  s.changeClient("shop-worker", { grantTypes });
  const first = await post(
    s,
    token,
    { grant_type: "authorization_code", code: await s.plantCode({ scope }), code_verifier: VERIFIER },
    WEB,
  );
  return { s, first, subject: textAt(first, "access_token") };
}

/** As the API does it, with changes; an empty value leaves a parameter out. */
const exchange = (s: Scene, subject_token: string, change: Record<string, string> = {}, auth = API): Promise<Answer> =>
  post(
    s,
    token,
    { grant_type: TOKEN_EXCHANGE_GRANT, subject_token, subject_token_type: TOKEN_TYPE_URN, ...change },
    auth,
  );

async function opens(s: Scene, secret: string, scope: string): Promise<boolean> {
  const request = new Request("https://gate.example/api/resource", { headers: { authorization: `Bearer ${secret}` } });
  return (await requireBearer(request, { scope }, s.deps, s.caller)).ok;
}

const ownToken = async (s: Scene, auth = API) =>
  textAt(await post(s, token, { grant_type: "client_credentials" }, auth), "access_token");
const lastCause = (s: Scene) => s.tables.refusals.at(-1)?.cause;

describe("token exchange, RFC 8693", () => {
  test("TX-01: an API exchanges a user's token for its own: same user, resource and grant, no more scope, no refresh token", async () => {
    const { s, subject } = await held();
    const answer = await exchange(s, subject);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^gat_/),
      issued_token_type: TOKEN_TYPE_URN,
      token_type: "Bearer",
      expires_in: 600,
      scope: "api:read api:write",
    });
    const [old, issued] = [subject, textAt(answer, "access_token")].map((secret) =>
      s.tables.accessTokens.get(storageHash(secret)),
    );
    expect(issued).toMatchObject({
      clientId: "shop-api",
      userId: s.user.id,
      grantId: old?.grantId,
      audience: old?.audience,
    });
    expect(await opens(s, textAt(answer, "access_token"), "api:write")).toBe(true);
  });

  test.each([
    ["a part", { scope: "api:read" }, {}, "api:read"],
    ["what its client is registered for", {}, { scopes: ["api:read"] }, "api:read"],
  ])("TX-01: the new token has %s of the scope", async (_, change, client, scope) => {
    const { s, subject } = await held(client);
    const answer = await exchange(s, subject, change);
    expect(answer.body).toMatchObject({ scope });
    expect(await opens(s, textAt(answer, "access_token"), "api:write")).toBe(false);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["without a subject token", { subject_token: "" }, "invalid_request", "parameter_missing"],
    ["without its type", { subject_token_type: "" }, "invalid_request", "parameter_missing"],
    [
      "with an unsupported token type",
      { subject_token_type: "urn:ietf:params:oauth:token-type:saml2" },
      "invalid_request",
      "token_type_unsupported",
    ],
    [
      "for a kind we do not give",
      { requested_token_type: "urn:ietf:params:oauth:token-type:refresh_token" },
      "invalid_request",
      "token_type_unsupported",
    ],
    ["of a guess", { subject_token: "gat_guess" }, "invalid_request", "token_unknown"],
    ["with an actor's type but no actor", { actor_token_type: TOKEN_TYPE_URN }, "invalid_request", "parameter_missing"],
    ["with an actor but no type", { actor_token: "gat_guess" }, "invalid_request", "parameter_missing"],
    [
      "with a guess as actor",
      { actor_token: "gat_guess", actor_token_type: TOKEN_TYPE_URN },
      "invalid_request",
      "token_unknown",
    ],
    ["for a scope that the token lacks", { scope: "api:read profile" }, "invalid_scope", "scope_exceeds_grant"],
    ["for a malformed scope", { scope: 'api:read "' }, "invalid_scope", "scope_exceeds_grant"],
    ["for another resource", { resource: "https://other.example/" }, "invalid_target", "resource_unknown"],
    ["for another audience", { audience: "other" }, "invalid_target", "resource_unknown"],
  ])("TX-01: rejects %s", async (_, change, error, cause) => {
    const { s, subject } = await held();
    expect(await exchange(s, subject, change)).toMatchObject({ status: 400, body: { error } });
    expect(lastCause(s)).toBe(cause);
  });

  test.each([
    ["resource", { resource: "https://gate.example/api" }],
    ["audience", { audience: "https://gate.example/api" }],
    ["requested_token_type", { requested_token_type: TOKEN_TYPE_URN }],
  ])("TX-01: %s can name what applies anyway", async (_, change) => {
    const { s, subject } = await held();
    expect((await exchange(s, subject, change)).status).toBe(200);
  });

  test("TK-04 TX-01: audience may be repeated; each value has to be the token's own", async () => {
    const { s, subject } = await held();
    const own = s.deps.config.resource;
    const send = (...audiences: string[]) =>
      post(
        s,
        token,
        [
          ["grant_type", TOKEN_EXCHANGE_GRANT],
          ["subject_token", subject],
          ["subject_token_type", TOKEN_TYPE_URN],
          ...audiences.map((audience): [string, string] => ["audience", audience]),
        ],
        API,
      );
    expect((await send(own, own)).status).toBe(200);
    expect((await send(own, "")).status).toBe(200);
    expect(await send(own, "https://other.example")).toMatchObject({ status: 400, body: { error: "invalid_target" } });
  });

  test("TX-01: the client's larger scope does not extend the token's", async () => {
    const { s, subject } = await held({}, "api:read");
    expect((await exchange(s, subject)).body).toMatchObject({ scope: "api:read" });
    expect((await exchange(s, subject, { scope: "api:write" })).body).toMatchObject({ error: "invalid_scope" });
  });

  test.each<[string, Partial<Client>]>([
    ["not registered for the grant", { grantTypes: ["client_credentials"] }],
    ["public", { type: "browser", secrets: [] }],
    ["not registered by an admin", { origin: "dynamic" }],
  ])("TX-01: a client that is %s may not exchange tokens", async (_, change) => {
    const { s, subject } = await held(change);
    const isPublic = change.type === "browser";
    const answer = await exchange(
      s,
      subject,
      isPublic ? { client_id: "shop-api" } : {},
      isPublic ? { authorization: "" } : API,
    );
    expect(answer.body["error"]).toMatch(isPublic ? /^(unauthorized_client|invalid_client)$/ : /^unauthorized_client$/);
  });

  test.each<[string, string, Partial<Client>]>([
    ["token_of_other_client", "for an API that it does not serve", { resourceServer: false }],
    [
      "token_of_other_client",
      "for an API that it does not serve, as it says",
      { options: { serves: ["https://stock.example/"] } },
    ],
    ["token_of_other_environment", "of another environment", { environment: "development" }],
  ])("TX-01: %s: a token that was issued to another client %s", async (cause, _, change) => {
    const { s, subject } = await held(change);
    expect(await exchange(s, subject)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(lastCause(s)).toBe(cause);
  });

  test("TX-01: a client narrows its own token without serving anything", async () => {
    const { s, subject } = await held();
    s.changeClient("shop-web", { grantTypes: ["authorization_code", TOKEN_EXCHANGE_GRANT] });
    const answer = await exchange(s, subject, { scope: "api:read" }, WEB);
    expect(answer.body).toMatchObject({ scope: "api:read" });
  });

  test("TX-01: a token without a user cannot be exchanged", async () => {
    const { s } = await held();
    expect((await exchange(s, await ownToken(s, WORKER))).body["error"]).toBe("invalid_request");
    expect(lastCause(s)).toBe("token_without_user");
  });

  test("TX-01: it expires no later than the subject token and the actor token", async () => {
    const { s, subject } = await held();
    s.clock.now += 200;
    expect((await exchange(s, subject)).body).toMatchObject({ expires_in: 400 });
    s.changeClient("shop-api", { options: { accessTokenSeconds: 60 } });
    const actor = { actor_token: await ownToken(s), actor_token_type: TOKEN_TYPE_URN };
    s.changeClient("shop-api", { options: {} });
    expect((await exchange(s, subject, actor)).body).toMatchObject({ expires_in: 60 });
  });

  test.each<[string, (s: Scene, subject: string) => unknown]>([
    ["the subject token was revoked", (s, subject) => post(s, revoke, { token: subject }, WEB)],
    ["the user took access back", (s) => s.store.revokeConnectedApp(s.user.id, "shop-web", s.clock.now)],
    ["the first client was switched off", (s) => s.changeClient("shop-web", { enabled: false })],
    ["its own client was switched off", (s) => s.changeClient("shop-api", { enabled: false })],
    ["the user was disabled", (s) => void s.tables.users.set(s.user.id, { ...s.user, disabledAt: s.clock.now })],
  ])("TX-01: invalid as soon as %s, and so are tokens exchanged for it", async (_, end) => {
    const { s, subject } = await held();
    const once = textAt(await exchange(s, subject), "access_token");
    const twice = textAt(await exchange(s, once), "access_token");
    expect(await opens(s, twice, "api:read")).toBe(true);
    await end(s, subject);
    for (const dead of [once, twice]) {
      expect(await opens(s, dead, "api:read")).toBe(false);
      const told = await post(s, introspect, { token: dead }, API);
      expect(told.body["active"] ?? false).toBe(false);
      expect((await exchange(s, dead)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test("TX-01: revoking an exchanged token does not revoke the subject token", async () => {
    const { s, subject } = await held();
    const issued = textAt(await exchange(s, subject), "access_token");
    await post(s, revoke, { token: issued }, API);
    expect([await opens(s, issued, "api:read"), await opens(s, subject, "api:read")]).toEqual([false, true]);
  });

  test("TX-01 IN-03: an actor token adds who acts, most recent first; how the user signed in stays", async () => {
    const { s, subject } = await held();
    const code = s.tables.accessTokens.get(storageHash(subject));
    if (code)
      s.tables.accessTokens.set(code.hash, {
        ...code,
        context: { authTime: 5, acr: ACR.password, amr: ["pwd"], nonce: "n" },
      });
    const actor_token_type = TOKEN_TYPE_URN;
    const once = textAt(
      await exchange(s, subject, { actor_token: await ownToken(s, WORKER), actor_token_type }),
      "access_token",
    );
    const twice = textAt(await exchange(s, once, { actor_token: await ownToken(s), actor_token_type }), "access_token");
    const told = await post(s, introspect, { token: twice }, API);
    expect(told.body).toMatchObject({
      sub: s.user.id,
      client_id: "shop-api",
      auth_time: 5,
      acr: ACR.password,
      amr: ["pwd"],
      act: { sub: "client:shop-api", act: { sub: "client:shop-worker" } },
    });
    expect(told.text).not.toContain("nonce");
  });

  test("TX-01 JT-01: a JWT nests the actors as claims, and can be exchanged like any other token", async () => {
    const { s, subject } = await held();
    Object.assign(s.deps, { config: { ...s.deps.config, tokenFormat: "jwt", tokenAlgorithm: "ES256" } });
    const actor_token_type = TOKEN_TYPE_URN;
    const once = textAt(
      await exchange(s, subject, { actor_token: await ownToken(s, WORKER), actor_token_type }),
      "access_token",
    );
    const twice = textAt(await exchange(s, once, { actor_token: await ownToken(s), actor_token_type }), "access_token");
    const claims = JSON.parse(Buffer.from(twice.split(".")[1] ?? "", "base64url").toString("utf8"));
    expect(claims).toMatchObject({
      client_id: "shop-api",
      act: { sub: "client:shop-api", act: { sub: "client:shop-worker" } },
    });
    expect(await opens(s, twice, "api:read")).toBe(true);
    await post(s, revoke, { token: subject }, WEB);
    expect(await opens(s, twice, "api:read")).toBe(false);
  });

  test.each(["opaque", "jwt"] as const)(
    "TX-01: a chain of %s tokens ends after five links, and is read by one query",
    async (tokenFormat) => {
      const { s, subject } = await held();
      Object.assign(s.deps, { config: { ...s.deps.config, tokenFormat, tokenAlgorithm: "ES256" } });
      const chain = [subject];
      for (let link = 0; link < 5; link++) chain.push(textAt(await exchange(s, chain.at(-1) ?? ""), "access_token"));
      const last = chain.at(-1) ?? "";
      expect(await exchange(s, last)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
      expect(lastCause(s)).toBe("exchange_chain_too_long");
      expect((await exchange(s, chain.at(-2) ?? "")).status).toBe(200);

      const { findAccessToken, findAccessTokens } = s.store;
      let queries = 0;
      const counted =
        <Asked, Found>(find: (asked: Asked) => Promise<Found>) =>
        (asked: Asked) => {
          queries += 1;
          return find(asked);
        };
      Object.assign(s.store, {
        findAccessToken: counted(findAccessToken),
        findAccessTokens: counted(findAccessTokens),
      });
      expect(await opens(s, last, "api:read")).toBe(true);
      expect(queries).toBe(2);
      await post(s, revoke, { token: chain[2] ?? "" }, API);
      expect([await opens(s, last, "api:read"), await opens(s, chain[1] ?? "", "api:read")]).toEqual([false, true]);
    },
  );

  test("TX-01 DP-05: a bound token cannot be exchanged for a bearer token", async () => {
    const { s, subject } = await held();
    const bound = s.tables.accessTokens.get(storageHash(subject));
    if (bound) s.tables.accessTokens.set(bound.hash, { ...bound, context: { dpopJkt: "thumbprint" } });
    expect((await exchange(s, subject)).body["error"]).toBe("invalid_request");
    expect(lastCause(s)).toBe("dpop_missing");
  });
});
