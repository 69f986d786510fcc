import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE, emailOf, PASSWORD } from "../harness/fixture.ts";
import { callApi, postAs, refresh, signIn, tokensOf } from "../harness/flow.ts";
import { type Answer, encodeForm, type Fields, json, postForm, send, textOf } from "../harness/http.ts";
import { expectJsonError, expectNotAllowed, expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const { device, otherDevice, web } = CLIENTS;

let kim: Agent;
beforeAll(async () => {
  kim = await signIn(issuer, "device");
});

const start = (fields: Fields = {}) => postAs(issuer, "/device_authorization", device, fields);
const poll = (deviceCode: string, client: { client_id: string } = device) =>
  postAs(issuer, "/token", client, { grant_type: DEVICE_CODE, device_code: deviceCode });

async function begin(fields: Fields = {}): Promise<{ deviceCode: string; userCode: string; answer: Answer }> {
  const answer = await start(fields);
  return { deviceCode: textOf(answer, "device_code"), userCode: textOf(answer, "user_code"), answer };
}

/** Enters a code at /device and stops at the confirmation. */
const enter = async (typed: string, agent: Agent = kim): Promise<Page> =>
  agent.submit(await agent.open("/device"), { fields: { Code: typed }, button: "Continue" });

describe("device authorization request", () => {
  test("DF-02 DF-04 the response", async () => {
    const { answer, userCode, deviceCode } = await begin({ scope: "api:read" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(deviceCode.length).toBeGreaterThanOrEqual(43);
    expect(json(answer)).toMatchObject({ verification_uri: `${issuer}/device`, expires_in: 600, interval: 5 });
    expect(textOf(answer, "verification_uri_complete")).toContain(encodeURIComponent(userCode));
  });

  test("DF-01 POST only", async () => expectNotAllowed(await send(issuer, "/device_authorization"), "POST"));

  test.each<[string, Fields, string]>([
    ["DF-03 a repeated scope", { scope: ["api:read", "api:read"] }, "invalid_request"],
    ["DF-02 an unknown scope", { scope: "admin:all" }, "invalid_scope"],
    ["RI-01 another resource", { resource: "https://other.example" }, "invalid_target"],
  ])("%s", async (_, fields, error) => expectJsonError(await start(fields), 400, error));

  test("DF-03 unknown and empty parameters are ignored", async () => {
    expect((await start({ colour: ["a", "b"], scope: "" })).status).toBe(200);
  });

  test("DF-02 a client without the grant, an unknown client and a confidential client without its secret are rejected", async () => {
    expectJsonError(await postAs(issuer, "/device_authorization", web, {}), 400, "unauthorized_client");
    expectJsonError(await postForm(issuer, "/device_authorization", { client_id: "nobody" }), 401, "invalid_client");
    expectJsonError(await postForm(issuer, "/device_authorization", { client_id: "web" }), 401, "invalid_client");
  });
});

describe("polling", () => {
  test("DF-07 N40 authorization_pending, then slow_down", async () => {
    const { deviceCode } = await begin();
    expectJsonError(await poll(deviceCode), 400, "authorization_pending");
    expectJsonError(await poll(deviceCode), 400, "slow_down");
  });

  test("DF-07 N40 unknown, another client's and missing device codes are rejected", async () => {
    expectJsonError(await poll("none-such"), 400, "invalid_grant");
    const { deviceCode } = await begin();
    expectJsonError(await poll(deviceCode, otherDevice), 400, "invalid_grant");
    expectJsonError(await postAs(issuer, "/token", device, { grant_type: DEVICE_CODE }), 400, "invalid_request");
  });

  test("DF-08 an approval is spent once; of parallel polls one succeeds", async () => {
    const { deviceCode, userCode } = await begin({ scope: "api:read offline_access" });
    await kim.submit(await enter(userCode), { button: "Allow" });
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(deviceCode)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expectJsonError(await poll(deviceCode), 400, "invalid_grant");
  });

  test("DF-14 the device's tokens work and rotate", async () => {
    const { deviceCode, userCode } = await begin({ scope: "api:read" });
    await kim.submit(await enter(userCode), { button: "Allow" });
    const tokens = tokensOf(await poll(deviceCode));
    expect((await callApi(issuer, tokens.access)).status).toBe(200);
    expect(tokensOf(await refresh(issuer, device, tokens.refresh)).refresh).not.toBe(tokens.refresh);
  });

  test("DF-07 N40 after Deny", async () => {
    const { deviceCode, userCode } = await begin();
    await kim.submit(await enter(userCode), { button: "Deny" });
    expectJsonError(await poll(deviceCode), 400, "access_denied");
  });
});

describe("the device page", () => {
  test("DF-09 requires sign-in, and keeps the code through it", async () => {
    const { userCode } = await begin();
    const stranger = newAgent(issuer);
    const signInPage = await stranger.open(`/device?${encodeForm({ user_code: userCode })}`);
    expect(signInPage.url).toContain("/sign-in");
    const page = await stranger.submit(signInPage, {
      fields: { Email: emailOf("device"), Password: PASSWORD },
      button: "Sign in",
    });
    expect(page.url).toContain("/device");
    expect(page.text).toContain(userCode);
  });

  test("DF-09 DF-10 DF-12 a prefilled code must be confirmed, on a page with a warning and the requester", async () => {
    const { deviceCode, userCode, answer } = await begin({ scope: "api:read" });
    const complete = new URL(textOf(answer, "verification_uri_complete"));
    const page = await kim.open(complete.pathname + complete.search);
    expectPageHeaders(page);
    const parts = [userCode, "Application device", "read your data", "Requested from10.", "Requestednow"];
    for (const part of parts) expect(page.document.text).toContain(part);
    expectJsonError(await poll(deviceCode), 400, "authorization_pending");
  });

  test.each<[string, (code: string) => string]>([
    ["lower case", (code) => code.toLowerCase()],
    ["no dash", (code) => code.replace("-", "")],
    ["spaces", (code) => ` ${code.replace("-", " ")} `],
  ])("DF-04 %s is understood", async (_, typed) => {
    const { userCode } = await begin();
    expect((await enter(typed(userCode))).text).toContain("Allow");
  });

  test("SE-09 DF-12 a decision from another site is rejected", async () => {
    const { deviceCode, userCode } = await begin();
    const page = await enter(userCode);
    const foreign = await kim.post(page, {
      button: "Allow",
      headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect((await kim.post(page, { button: "Allow", override: { csrf: undefined } })).status).toBe(403);
    expectJsonError(await poll(deviceCode), 400, "authorization_pending");
  });

  test("DF-05 links with wrong codes are not judged for ever, and keep nobody from entering a code", async () => {
    const victim = await signIn(issuer, "device");
    const { userCode } = await begin();
    const statuses = [];
    for (let at = 0; at < 7; at++) statuses.push((await victim.open("/device?user_code=BBBB-BBBB")).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 200, 200]);
    const filledIn = await victim.open(`/device?user_code=${userCode}`);
    expect(filledIn.text).not.toContain("Allow");
    expect((await victim.submit(filledIn, { button: "Continue" })).text).toContain("Allow");
  });

  test("N40 DF-05 guessing is limited", async () => {
    const guesser = await signIn(issuer, "bearer");
    let last = await enter("BBBB-BBBB", guesser);
    expect(last.status).toBe(400);
    for (let tries = 1; tries < 12 && last.status !== 429; tries++) last = await enter("BBBB-BBBB", guesser);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
