import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, TOKEN_EXCHANGE } from "../harness/fixture.ts";
import { callApi, obtainTokens, postAs, refusal, serviceToken, signIn } from "../harness/flow.ts";
import { type Answer, type Fields, json, textOf } from "../harness/http.ts";

const issuer = inject("issuer");
const { web, service, resourceServer, exchanger } = CLIENTS;
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

let eva: Agent;
beforeAll(async () => {
  eva = await signIn(issuer, "exchange");
});

const exchange = (
  subject_token: string,
  change: Fields = {},
  client: Parameters<typeof postAs>[2] = exchanger,
): Promise<Answer> =>
  postAs(issuer, "/token", client, {
    grant_type: TOKEN_EXCHANGE,
    subject_token,
    subject_token_type: ACCESS_TOKEN,
    ...change,
  });

const introspect = async (token: string) => json(await postAs(issuer, "/introspect", resourceServer, { token }));

describe("token exchange, RFC 8693", () => {
  test("TX-01 an API exchanges a user's token for one with less access, which names the actor", async () => {
    const { access } = await obtainTokens(eva, web, { scope: "api:read api:write" });
    const actor = { actor_token: await serviceToken(issuer, exchanger), actor_token_type: ACCESS_TOKEN };
    const answer = await exchange(access, { scope: "api:read", resource: `${issuer}/api`, ...actor });
    expect(json(answer)).toMatchObject({ issued_token_type: ACCESS_TOKEN, token_type: "Bearer", scope: "api:read" });
    expect(json(answer)).not.toHaveProperty("refresh_token");
    const [before, after] = [await introspect(access), await introspect(textOf(answer, "access_token"))];
    expect(after).toMatchObject({
      active: true,
      client_id: "exchanger",
      sub: before["sub"],
      aud: before["aud"],
      scope: "api:read",
    });
    expect(after["act"]).toEqual({ sub: "client:exchanger" });
    expect(Number(after["exp"])).toBeLessThanOrEqual(Number(before["exp"]));
    expect((await callApi(issuer, textOf(answer, "access_token"))).status).toBe(200);
  });

  test.each([
    ["the token itself", (token: string) => token],
    ["the user's refresh token, with all of its grant", (_: string, refresh: string) => refresh],
  ])("TX-01 revoking %s ends the exchanged token at once", async (_, pick) => {
    const { access, refresh } = await obtainTokens(eva, web);
    const issued = textOf(await exchange(access), "access_token");
    expect((await callApi(issuer, issued)).status).toBe(200);
    await postAs(issuer, "/revoke", web, { token: pick(access, refresh) });
    expect((await callApi(issuer, issued)).status).toBe(401);
    expect(await introspect(issued)).toEqual({ active: false });
    expect(refusal(await exchange(issued))).toEqual([400, "invalid_request"]);
  });

  test("TX-01 a chain has at most five exchanges", async () => {
    let { access } = await obtainTokens(eva, web, { scope: "api:read" });
    for (let link = 0; link < 5; link++) access = textOf(await exchange(access), "access_token");
    expect((await callApi(issuer, access)).status).toBe(200);
    expect(refusal(await exchange(access))).toEqual([400, "invalid_grant"]);
  });

  test("TX-01 an exchange never adds a scope, a resource or a permitted client", async () => {
    const { access } = await obtainTokens(eva, web, { scope: "api:read" });
    expect(refusal(await exchange(access, { scope: "api:read api:write" }))).toEqual([400, "invalid_scope"]);
    expect(refusal(await exchange(access, { resource: "https://other.example/" }))).toEqual([400, "invalid_target"]);
    expect(refusal(await exchange(access, { audience: "other" }))).toEqual([400, "invalid_target"]);
    expect(refusal(await exchange(access, {}, service))).toEqual([400, "unauthorized_client"]);
    expect(refusal(await exchange(access, {}, { client_id: "exchanger" }))).toEqual([401, "invalid_client"]);
  });

  test.each<[string, Fields]>([
    ["a token that is none", { subject_token: "gat_nonsense" }],
    ["no token", { subject_token: "" }],
    ["no type", { subject_token_type: "" }],
    ["another type", { subject_token_type: "urn:ietf:params:oauth:token-type:id_token" }],
    ["an actor's type without an actor", { actor_token_type: ACCESS_TOKEN }],
  ])("TX-01 %s is an invalid request", async (_, change) => {
    const { access } = await obtainTokens(eva, web);
    expect(refusal(await exchange(access, change))).toEqual([400, "invalid_request"]);
  });
});
