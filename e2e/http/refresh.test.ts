import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { callApi, obtainTokens, refresh, refusal, signIn, tokensOf } from "../harness/flow.ts";
import { json, postForm } from "../harness/http.ts";
import { expectJsonError } from "./expectations.ts";

const issuer = inject("issuer");
const { web, otherWeb, strictWeb, browser } = CLIENTS;

let hal: Agent;
beforeAll(async () => {
  hal = await signIn(issuer, "refresh");
});

describe("refresh_token grant", () => {
  test.each([web, browser])("RT-02 every use rotates the token ($client_id)", async (client) => {
    const first = await obtainTokens(hal, client);
    const second = tokensOf(await refresh(issuer, client, first.refresh));
    expect(second.refresh).not.toBe(first.refresh);
    expect(second.access).not.toBe(first.access);
    expect((await callApi(issuer, second.access)).status).toBe(200);
  });

  test("RT-04 RT-05 the scope can be narrowed for one access token; the refresh token keeps all of it", async () => {
    const tokens = await obtainTokens(hal, web, { scope: "api:read api:write" });
    const narrowed = await refresh(issuer, web, tokens.refresh, { scope: "api:write" });
    expect(json(narrowed)["scope"]).toBe("api:write");
    expect((await callApi(issuer, tokensOf(narrowed).access)).status).toBe(403);
    const whole = await refresh(issuer, web, tokensOf(narrowed).refresh);
    expect(json(whole)["scope"]).toBe("api:read api:write");
  });

  test("N34 RT-04 the scope cannot be widened, and trying does not spend the token", async () => {
    const tokens = await obtainTokens(hal, web, { scope: "api:read" });
    expectJsonError(await refresh(issuer, web, tokens.refresh, { scope: "api:read api:write" }), 400, "invalid_scope");
    expect((await refresh(issuer, web, tokens.refresh)).status).toBe(200);
  });

  test("N34 RT-01 another client, and a confidential client without its secret, are rejected", async () => {
    const tokens = await obtainTokens(hal, web);
    expectJsonError(await refresh(issuer, otherWeb, tokens.refresh), 400, "invalid_grant");
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh, client_id: "web" };
    expectJsonError(await postForm(issuer, "/token", fields), 401, "invalid_client");
    expect((await refresh(issuer, web, tokens.refresh)).status).toBe(200);
  });

  test.each(["garbage", "grt_garbage", "é"])("RT-01 %s", async (token) => {
    expectJsonError(await refresh(issuer, web, token), 400, "invalid_grant");
  });

  test("BR-10 an access token is not accepted as a refresh token", async () => {
    const tokens = await obtainTokens(hal, web);
    expectJsonError(await refresh(issuer, web, tokens.access), 400, "invalid_grant");
  });

  test("RT-06 another resource is rejected", async () => {
    const tokens = await obtainTokens(hal, web);
    expectJsonError(
      await refresh(issuer, web, tokens.refresh, { resource: "https://other.example" }),
      400,
      "invalid_target",
    );
    expect((await refresh(issuer, web, tokens.refresh, { resource: `${issuer}/api` })).status).toBe(200);
  });

  test("CF-20 a lost response is repeated, identically, while the successor is unused", async () => {
    const tokens = await obtainTokens(hal, web);
    const [first, again] = [await refresh(issuer, web, tokens.refresh), await refresh(issuer, web, tokens.refresh)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(tokensOf(again)).toEqual(tokensOf(first));
  });

  test("N33 RT-03 once the successor was used, the old token counts as reuse and the whole family is revoked", async () => {
    const first = await obtainTokens(hal, web);
    const second = tokensOf(await refresh(issuer, web, first.refresh));
    const third = tokensOf(await refresh(issuer, web, second.refresh));
    expectJsonError(await refresh(issuer, web, first.refresh), 400, "invalid_grant");
    expectJsonError(await refresh(issuer, web, third.refresh), 400, "invalid_grant");
    expect(refusal(await callApi(issuer, third.access))).toEqual([401, "invalid_token"]);
  });

  test("N33 CF-20 without a retry window every reuse counts as theft", async () => {
    const first = await obtainTokens(hal, strictWeb);
    const second = tokensOf(await refresh(issuer, strictWeb, first.refresh));
    expectJsonError(await refresh(issuer, strictWeb, first.refresh), 400, "invalid_grant");
    expectJsonError(await refresh(issuer, strictWeb, second.refresh), 400, "invalid_grant");
    expect(refusal(await callApi(issuer, second.access))).toEqual([401, "invalid_token"]);
  });

  test("CF-20 a retry with other parameters counts as reuse", async () => {
    const first = await obtainTokens(hal, web, { scope: "api:read api:write" });
    const second = tokensOf(await refresh(issuer, web, first.refresh));
    expectJsonError(await refresh(issuer, web, first.refresh, { scope: "api:read" }), 400, "invalid_grant");
    expect(refusal(await callApi(issuer, second.access))).toEqual([401, "invalid_token"]);
  });

  test("RT-01 another client's use of a rotated token revokes nothing", async () => {
    const first = await obtainTokens(hal, web);
    const second = tokensOf(await refresh(issuer, web, first.refresh));
    expectJsonError(await refresh(issuer, otherWeb, first.refresh), 400, "invalid_grant");
    expect((await callApi(issuer, second.access)).status).toBe(200);
  });
});
