import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE, fixture } from "../harness/fixture.ts";
import {
  type ActingClient,
  callApi,
  obtainTokens,
  postAs,
  refresh,
  refusal,
  signIn,
  tokensOf,
} from "../harness/flow.ts";
import { type Gatehouse, POSTGRES, startGatehouse } from "../harness/gatehouse.ts";
import { type Answer, send, textOf } from "../harness/http.ts";

// Revocations during requests in flight: nothing stays alive, and no response is a 5xx.

const { web, device } = CLIENTS;
const AT_ONCE = 20;
const times = <Value>(count: number, one: (turn: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => one(turn)));
const kinds = (answers: readonly Answer[]) => new Set(answers.map((answer) => refusal(answer).join(" ")));
const won = (answers: readonly Answer[]) => answers.filter((answer) => answer.status === 200);

describe.each(POSTGRES)("concurrent revocations on %s", (engine) => {
  let own: Gatehouse;
  let issuer = "";
  let person: Agent;

  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture(), settings: { GATEHOUSE_REGISTRATION: "open" } });
    issuer = own.issuer;
    person = await signIn(issuer, "races");
  });
  afterAll(() => own?.stop());

  const liveOnes = async (answers: readonly Answer[]) => {
    const called = await Promise.all(won(answers).map((answer) => callApi(issuer, tokensOf(answer).access)));
    return called.filter(({ status }) => status !== 401);
  };

  test("RV-04 RT-08: a revocation during refreshes leaves no live token, in any order", async () => {
    const first = await obtainTokens(person, web);
    const answers = await times(AT_ONCE, (turn) =>
      turn === AT_ONCE / 2
        ? postAs(issuer, "/revoke", web, { token: first.refresh })
        : refresh(issuer, web, first.refresh),
    );
    const revoked = answers[AT_ONCE / 2];
    expect(revoked?.status).toBe(200);
    const refreshed = answers.filter((answer) => answer !== revoked);
    for (const kind of kinds(refreshed)) expect(["200 ", "400 invalid_grant"]).toContain(kind);
    expect(await liveOnes(refreshed)).toEqual([]);
    for (const answer of won(refreshed))
      expect(refusal(await refresh(issuer, web, tokensOf(answer).refresh))).toEqual([400, "invalid_grant"]);
    expect((await callApi(issuer, first.access)).status).toBe(401);
  });

  test("RV-04: concurrent revocations of one token all succeed", async () => {
    const { refresh: token } = await obtainTokens(person, web);
    expect(kinds(await times(AT_ONCE, () => postAs(issuer, "/revoke", web, { token })))).toEqual(new Set(["200 "]));
  });

  const begun = async () => {
    const started = await postAs(issuer, "/device_authorization", device, {});
    const page = await person.open(`/device?user_code=${textOf(started, "user_code")}`);
    return { page, code: textOf(started, "device_code") };
  };
  const redeemCode = (code: string) => postAs(issuer, "/token", device, { grant_type: DEVICE_CODE, device_code: code });

  test("DF-06: of 20 polls for an approved code exactly one gets the tokens", async () => {
    const { page, code } = await begun();
    await person.submit(page, { button: "Allow" });
    expect(won(await times(AT_ONCE, () => redeemCode(code)))).toHaveLength(1);
  });

  // The last test with user codes: late decisions count as wrong codes, and reach the limit.
  test("DF-04 DF-06: of conflicting decisions exactly one counts, and of the device's polls exactly one gets the tokens", async () => {
    const { page, code } = await begun();
    const decided = await times(AT_ONCE, (turn) => person.post(page, { button: turn % 2 === 0 ? "Allow" : "Deny" }));
    for (const { status } of decided) expect(status).toBeLessThan(500);
    const answers = await times(AT_ONCE, () => redeemCode(code));
    const allowed = won(answers);
    expect(allowed.length).toBeLessThanOrEqual(1);
    for (const kind of kinds(answers))
      expect(["200 ", "400 access_denied", "400 invalid_grant", "400 slow_down"]).toContain(kind);
    for (const answer of allowed) expect((await callApi(issuer, tokensOf(answer).access)).status).toBeLessThan(500);
  });

  test("DC-07: deleting a registration ends every request of its client that is in flight", async () => {
    const metadata = {
      client_name: "Leaving",
      redirect_uris: ["https://leaving.example/cb"],
      token_endpoint_auth_method: "client_secret_post",
    };
    const made = await send(issuer, "/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...metadata, grant_types: ["authorization_code", "refresh_token"] }),
    });
    expect(made.status).toBe(201);
    const client: ActingClient = {
      client_id: textOf(made, "client_id"),
      client_secret: textOf(made, "client_secret"),
      redirect_uris: metadata.redirect_uris,
    };
    const asPosted = (fields: Record<string, string>) => ({
      ...fields,
      client_id: client.client_id,
      client_secret: client.client_secret ?? "",
    });
    const tokens = await obtainTokens(person, client, { scope: "api:read" });
    const management = new URL(textOf(made, "registration_client_uri")).pathname;
    const authorization = `Bearer ${textOf(made, "registration_access_token")}`;

    const renew = () =>
      postAs(
        issuer,
        "/token",
        { client_id: client.client_id },
        asPosted({ grant_type: "refresh_token", refresh_token: tokens.refresh }),
      );
    const [deleted, ...answers] = await Promise.all([
      send(issuer, management, { method: "DELETE", headers: { authorization } }),
      ...Array.from({ length: AT_ONCE }, (_, turn) =>
        turn % 2 ? renew() : send(issuer, management, { headers: { authorization } }),
      ),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of answers) expect([200, 400, 401]).toContain(status);

    const renewals = answers.filter((_, turn) => turn % 2 === 1);
    expect(await liveOnes(renewals)).toEqual([]);
    expect((await callApi(issuer, tokens.access)).status).toBe(401);
    expect(refusal(await renew())).toEqual([401, "invalid_client"]);
    expect((await send(issuer, management, { headers: { authorization } })).status).toBe(401);
  });
});
