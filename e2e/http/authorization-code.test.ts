import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { callApi, newProof, obtainCode, postAs, redeem, refresh, refusal, signIn, tokensOf } from "../harness/flow.ts";
import { json, postForm } from "../harness/http.ts";
import { expectJsonError } from "./expectations.ts";

const issuer = inject("issuer");
const { web, otherWeb, browser } = CLIENTS;

let fay: Agent;
beforeAll(async () => {
  fay = await signIn(issuer, "code");
});

describe("authorization_code grant", () => {
  test.each<[string, string]>([
    ["an unknown code", "guess"],
    ["a code cut short", "gac_x"],
    ["a code with strange characters", "é 💥"],
  ])("AC-02 %s", async (_, code) => {
    expectJsonError(await redeem(issuer, web, { ...(await obtainCode(fay, web)), code }), 400, "invalid_grant");
  });

  test("N26 AC-01 another client cannot redeem the code, and the owner still can", async () => {
    const obtained = await obtainCode(fay, web);
    expectJsonError(await redeem(issuer, otherWeb, obtained), 400, "invalid_grant");
    expect((await redeem(issuer, web, obtained)).status).toBe(200);
  });

  test.each<[string, string | undefined, string[]]>([
    ["a wrong verifier", newProof().verifier, ["invalid_grant"]],
    ["no verifier", undefined, ["invalid_grant", "invalid_request"]],
    ["a verifier of 42 characters", "v".repeat(42), ["invalid_request", "invalid_grant"]],
    ["a verifier of 129 characters", "v".repeat(129), ["invalid_request", "invalid_grant"]],
    ["a verifier with foreign characters", `${"v".repeat(42)}+`, ["invalid_request", "invalid_grant"]],
  ])("N27 PK-01 PK-02 PK-03 %s is refused and does not burn the code", async (_, code_verifier, errors) => {
    const obtained = await obtainCode(fay, web);
    const [status, error] = refusal(await redeem(issuer, web, obtained, { code_verifier }));
    expect(status).toBe(400);
    expect(errors).toContain(error);
    expect((await redeem(issuer, web, obtained)).status).toBe(200);
  });

  test("PK-05 the challenge is not accepted as the verifier", async () => {
    const { verifier, challenge } = newProof();
    const obtained = await obtainCode(fay, web, { code_challenge: challenge });
    expectJsonError(await redeem(issuer, web, { ...obtained, verifier: challenge }), 400, "invalid_grant");
    expect((await redeem(issuer, web, { ...obtained, verifier })).status).toBe(200);
  });

  test("PK-06 five wrong verifiers invalidate the code", async () => {
    const obtained = await obtainCode(fay, web);
    for (let tries = 0; tries < 5; tries++) await redeem(issuer, web, obtained, { code_verifier: newProof().verifier });
    expectJsonError(await redeem(issuer, web, obtained), 400, "invalid_grant");
  });

  test("N28 AC-06 CF-04 a different redirect_uri is rejected, an omitted one is accepted", async () => {
    const obtained = await obtainCode(fay, web);
    expectJsonError(
      await redeem(issuer, web, obtained, { redirect_uri: "https://app.example/cb?tenant=7" }),
      400,
      "invalid_grant",
    );
    expect((await redeem(issuer, web, obtained, { redirect_uri: undefined })).status).toBe(200);
  });

  test("N30 AC-04 a valid replay is rejected and revokes every token of the code", async () => {
    const obtained = await obtainCode(fay, web);
    const tokens = tokensOf(await redeem(issuer, web, obtained));
    expect((await callApi(issuer, tokens.access)).status).toBe(200);

    expectJsonError(await redeem(issuer, web, obtained), 400, "invalid_grant");
    expect(refusal(await callApi(issuer, tokens.access))).toEqual([401, "invalid_token"]);
    expectJsonError(await refresh(issuer, web, tokens.refresh), 400, "invalid_grant");
    expect(json(await postAs(issuer, "/introspect", web, { token: tokens.access }))).toEqual({ active: false });
  });

  test("N31 AC-05 an invalid replay revokes nothing", async () => {
    const obtained = await obtainCode(fay, web);
    const tokens = tokensOf(await redeem(issuer, web, obtained));
    expectJsonError(await redeem(issuer, web, obtained, { code_verifier: newProof().verifier }), 400, "invalid_grant");
    const wrongSecret = { ...web, client_secret: "wrong" };
    expect((await redeem(issuer, wrongSecret, obtained)).status).toBe(401);
    expect((await callApi(issuer, tokens.access)).status).toBe(200);
    expect((await refresh(issuer, web, tokens.refresh)).status).toBe(200);
  });

  test("interop-3 a failed client authentication does not spend the code", async () => {
    const obtained = await obtainCode(fay, browser);
    const fields = { grant_type: "authorization_code", code: obtained.code, code_verifier: obtained.verifier };
    const guess = await postForm(issuer, "/token", fields, {
      authorization: `Basic ${Buffer.from("browser:nonsense").toString("base64")}`,
    });
    expect([400, 401]).toContain(guess.status);
    expect((await redeem(issuer, browser, obtained)).status).toBe(200);
  });

  test("AC-08 no refresh token for openid without offline_access", async () => {
    const plain = json(await redeem(issuer, web, await obtainCode(fay, web, { scope: "openid api:read" })));
    expect(plain).not.toHaveProperty("refresh_token");
    const offline = json(
      await redeem(issuer, web, await obtainCode(fay, web, { scope: "openid api:read offline_access" })),
    );
    expect(offline).toHaveProperty("refresh_token");
  });
});
