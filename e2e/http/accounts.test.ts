import { beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, PASSWORD } from "../harness/fixture.ts";
import { callApi, obtainTokens, refresh, refusal, signIn, type Tokens } from "../harness/flow.ts";
import { gatehouse, POSTGRES, sharedGatehouse } from "../harness/gatehouse.ts";
import { addUser } from "../harness/people.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

// What a change of an account ends, seen by its browsers and apps. packages/console/src/users/user-ends.test.ts and
// packages/console/src/users/router.test.ts hold each change, on both engines.

const { web, firstParty } = CLIENTS;
const STRANGERS = "the password of a stranger";

describe.each(POSTGRES)("accounts on %s", (engine) => {
  let issuer: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    ({ issuer, env } = await sharedGatehouse(engine));
  });

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const adminToken = () => consoleToken(issuer, "admin");

  async function enter(email: string, agent = newAgent(issuer)): Promise<Agent> {
    await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: email, Password: PASSWORD },
      button: "Sign in",
    });
    expect(await isSignedIn(agent)).toBe(true);
    return agent;
  }
  const consoleTokens = (agent: Agent) =>
    obtainTokens(agent, firstParty, { scope: "api:read console:read offline_access" });
  const appTokens = (agent: Agent) => obtainTokens(agent, web, { scope: "api:read offline_access" });
  const expectAlive = async ({ access }: Tokens) => expect((await callApi(issuer, access)).status).toBe(200);

  /** Checked at once, for the refresh token too. */
  async function expectDead({ access, refresh: token }: Tokens, client: typeof web | typeof firstParty): Promise<void> {
    expect((await callApi(issuer, access)).status).toBe(401);
    expect(refusal(await refresh(issuer, client, token))).toEqual([400, "invalid_grant"]);
  }

  test("RG-05 RG-06 an account of a stranger gets no role; adopted by an operator it is empty, and nothing of the stranger's lives", async () => {
    const email = "ops@company.example";
    const stranger = newAgent(issuer);
    const fields = { Name: "Mallory", Email: email, Password: STRANGERS };
    await stranger.submit(await stranger.open("/sign-up"), { fields, button: "Create account" });
    const tokens = await appTokens(stranger);
    await expectAlive(tokens);
    const token = await adminToken();
    const { items } = dataOf<{ items: { id: string }[] }>(await query(issuer, "users.list", { query: email }, token));
    expect((await mutate(issuer, "users.update", { id: items[0]?.id, role: "admin" }, token)).status).toBe(409);
    expect([await isSignedIn(stranger), (await query(issuer, "users.list", {}, tokens.access)).status]).toEqual([
      true,
      403,
    ]);

    const create = [
      "user",
      "create",
      "--email",
      email,
      "--name",
      "Ops",
      "--role",
      "admin",
      "--password",
      PASSWORD,
      "--adopt",
    ];
    expect(await gatehouse(create, env)).toMatchObject({ email, role: "admin" });
    expect(await isSignedIn(stranger)).toBe(false);
    await expectDead(tokens, web);
    const ops = await enter(email);
    expect((await ops.open("/account/apps")).text).toContain("No apps have access");
    expect((await ops.request("/trpc/users.list?input={}")).status).toBe(200);
  });

  test("a higher role from the console ends earlier sessions and tokens", async () => {
    const email = "raised@company.example";
    const id = await addUser(env, { email });
    const before = await enter(email);
    const tokens = await appTokens(before);
    dataOf(await mutate(issuer, "users.update", { id, role: "developer" }, await adminToken()));
    expect(await isSignedIn(before)).toBe(false);
    await expectDead(tokens, web);
  });

  test("disabling ends an app's tokens permanently", async () => {
    const email = "off@company.example";
    const id = await addUser(env, { email });
    const tokens = await appTokens(await enter(email));
    const token = await adminToken();
    for (const disabled of [true, false]) dataOf(await mutate(issuer, "users.setDisabled", { id, disabled }, token));
    await expectDead(tokens, web);
  });

  describe("the console's tokens", () => {
    test.each<[string, (agent: Agent, email: string) => Promise<unknown>]>([
      ["signing out", async (agent) => agent.submit(await agent.open("/account"), { button: "Sign out" })],
      [
        "signing out everywhere else in another browser",
        async (_, email) => {
          const other = await enter(email);
          await other.submit(await other.open("/account/sessions"), { button: "Sign out everywhere else" });
        },
      ],
    ])("end with %s", async (by, end) => {
      const email = `${by.replaceAll(/\W/g, "-")}@console.example`;
      await addUser(env, { email, role: "viewer" });
      const agent = await enter(email);
      const tokens = await consoleTokens(agent);
      await expectAlive(tokens);
      await end(agent, email);
      await expectDead(tokens, firstParty);
    });

    test("survive signing in again in the same browser, and end with the new session", async () => {
      const email = "again@console.example";
      await addUser(env, { email, role: "viewer" });
      const agent = await enter(email);
      const tokens = await consoleTokens(agent);
      await enter(email, agent);
      await expectAlive(tokens);
      await agent.submit(await agent.open("/account"), { button: "Sign out" });
      await expectDead(tokens, firstParty);
    });
  });

  test("signing out everywhere keeps third-party apps, unless the box is ticked", async () => {
    const email = "everywhere@company.example";
    await addUser(env, { email });
    const agent = await enter(email);
    const tokens = await appTokens(agent);
    const signOut = async (override = {}) =>
      agent.submit(await agent.open("/account/sessions"), { button: "Sign out everywhere else", override });
    await signOut();
    await expectAlive(tokens);
    expect((await signOut({ apps: "on" })).text).toContain("no apps have access");
    await expectDead(tokens, web);
    expect(await isSignedIn(agent)).toBe(true);
  });

  test("account:read and account:write: a third party with api:read and api:write can neither list nor end sessions", async () => {
    const agent = await signIn(issuer, "trpc");
    const { access } = await obtainTokens(agent, web, { scope: "api:read api:write" });
    expect((await query(issuer, "me.get", undefined, access)).status).toBe(200);
    for (const procedure of ["me.sessions", "me.connectedApps"])
      expect((await query(issuer, procedure, undefined, access)).status).toBe(403);
    expect((await mutate(issuer, "me.revokeSession", { sessionId: "s" }, access)).status).toBe(403);
    expect((await mutate(issuer, "me.revokeApp", { clientId: "web" }, access)).status).toBe(403);
    expect((await agent.request("/trpc/me.sessions")).status).toBe(200);
  });
});
