import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import {
  type ActingClient,
  callApi,
  obtainTokens,
  postAs,
  refresh,
  refusal,
  signIn,
  type Tokens,
} from "../harness/flow.ts";
import { type Gatehouse, POSTGRES, startGatehouse, startWeb } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

const { web, otherWeb, strictWeb, keeping, awkwardSecret, resourceServer } = CLIENTS;
const DEAD = [401, "invalid_token"];

/** Two processes on one database: what one revokes, the other rejects at the next request. */
describe.each(POSTGRES)("a revocation takes effect at once everywhere, on %s", (engine) => {
  let own: Gatehouse;
  let sibling: Running;
  let here: string;
  let origins: string[];
  let admin: string;

  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    const port = await freePort();
    sibling = await startWeb(own.env, port);
    here = own.issuer;
    origins = [here, `http://localhost:${port}`];
    admin = await consoleToken(here, "admin");
  });
  afterAll(async () => {
    await sibling?.stop();
    await own?.stop();
  });

  const tokensFor = async (person: string, client: ActingClient) => obtainTokens(await signIn(here, person), client);
  const isActive = async (origin: string, token: string) =>
    json(await postAs(origin, "/introspect", resourceServer, { token }))["active"];

  async function expectAlive({ access }: Tokens): Promise<void> {
    for (const origin of origins) {
      expect((await callApi(origin, access)).status).toBe(200);
      expect((await query(origin, "me.get", undefined, access)).status).toBe(200);
      expect(await isActive(origin, access)).toBe(true);
    }
  }

  async function expectAccessDead({ access }: Tokens): Promise<void> {
    for (const origin of [...origins].reverse()) {
      expect(refusal(await callApi(origin, access))).toEqual(DEAD);
      expect((await query(origin, "me.get", undefined, access)).status).toBe(401);
      expect(await isActive(origin, access)).toBe(false);
    }
  }

  async function expectRefreshRefused(client: ActingClient, tokens: Tokens, refused: [number, string]): Promise<void> {
    for (const origin of [...origins].reverse())
      expect(refusal(await refresh(origin, client, tokens.refresh))).toEqual(refused);
  }

  test("RV-06 an access token only", async () => {
    const tokens = await tokensFor("token", web);
    await expectAlive(tokens);
    expect((await postAs(here, "/revoke", web, { token: tokens.access })).status).toBe(200);
    await expectAccessDead(tokens);
    expect((await refresh(here, web, tokens.refresh)).status).toBe(200);
  });

  test("RV-04 RV-06 a refresh token and its access tokens", async () => {
    const tokens = await tokensFor("refresh", web);
    await expectAlive(tokens);
    expect((await postAs(here, "/revoke", web, { token: tokens.refresh })).status).toBe(200);
    await expectAccessDead(tokens);
    await expectRefreshRefused(web, tokens, [400, "invalid_grant"]);
  });

  test("RT-08 SE-15 a grant, from the account page", async () => {
    const agent = await signIn(here, "account");
    const tokens = await obtainTokens(agent, web);
    await expectAlive(tokens);
    await agent.submit(await agent.open("/account/apps"), { button: "Revoke access" });
    await expectAccessDead(tokens);
    await expectRefreshRefused(web, tokens, [400, "invalid_grant"]);
  });

  test("AC-10 RT-08 a disabled client, until it is enabled again", async () => {
    const tokens = await tokensFor("client", otherWeb);
    await expectAlive(tokens);
    dataOf(await mutate(here, "clients.setEnabled", { clientId: otherWeb.client_id, enabled: false }, admin));
    await expectAccessDead(tokens);
    await expectRefreshRefused(otherWeb, tokens, [401, "invalid_client"]);
    dataOf(await mutate(here, "clients.setEnabled", { clientId: otherWeb.client_id, enabled: true }, admin));
    await expectAlive(tokens);
  });

  test("RT-08 a removed client, permanently", async () => {
    const tokens = await tokensFor("client", strictWeb);
    await expectAlive(tokens);
    dataOf(await mutate(here, "clients.remove", { clientId: strictWeb.client_id }, admin));
    await expectAccessDead(tokens);
    await expectRefreshRefused(strictWeb, tokens, [401, "invalid_client"]);
  });

  test("AC-10 RT-08 a user who is disabled", async () => {
    const tokens = await tokensFor("bearer", keeping);
    await expectAlive(tokens);
    const people = dataOf<{ items: { id: string }[] }>(
      await query(here, "users.list", { query: "bearer@example.com" }, admin),
    );
    dataOf(await mutate(here, "users.setDisabled", { id: people.items[0]?.id, disabled: true }, admin));
    await expectAccessDead(tokens);
    await expectRefreshRefused(keeping, tokens, [400, "invalid_grant"]);
  });

  test("CA-10 N24 a retired secret no longer authenticates; issued tokens stay valid", async () => {
    const tokens = await tokensFor("code", awkwardSecret);
    const clientId = awkwardSecret.client_id;
    const client = dataOf<{ secrets: { id: string }[] }>(await query(here, "clients.get", { clientId }, admin));
    dataOf(
      await mutate(
        here,
        "clients.retireSecret",
        { clientId, secretId: client.secrets[0]?.id, confirmLast: true },
        admin,
      ),
    );
    await expectRefreshRefused(awkwardSecret, tokens, [401, "invalid_client"]);
    for (const origin of origins) {
      for (const path of ["/revoke", "/introspect"]) {
        expect(refusal(await postAs(origin, path, awkwardSecret, { token: tokens.access }))).toEqual([
          401,
          "invalid_client",
        ]);
      }
    }
    await expectAlive(tokens);
  });
});
