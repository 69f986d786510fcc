import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { callApi, obtainTokens, refresh, refusal, signIn, type Tokens } from "../harness/flow.ts";
import { apply, ENGINES, type Gatehouse, gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

const { web, firstParty } = CLIENTS;
const STRANGERS = "the password of a stranger";

describe.each(ENGINES)("accounts on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let folder: string;
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    issuer = own.issuer;
    folder = await mkdtemp(join(tmpdir(), "gatehouse-accounts-"));
  });
  afterAll(async () => {
    await own?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const applyUser = (user: object) => apply({ users: [user] }, folder, own.env) as Promise<{ users: { id: string; status: string }[] }>;
  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const adminToken = () => consoleToken(issuer, "admin");

  async function signUp(email: string): Promise<Agent> {
    const agent = newAgent(issuer);
    const fields = { Name: "Mallory", Email: email, Password: STRANGERS };
    await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
    expect(await isSignedIn(agent)).toBe(true);
    return agent;
  }
  async function trySignIn(email: string, password: string, from: string, agent = newAgent(issuer)): Promise<Page> {
    const fields = { Email: email, Password: password };
    return agent.post(await agent.open("/sign-in"), { fields, button: "Sign in", headers: { "x-forwarded-for": from } });
  }
  async function idOf(email: string): Promise<string> {
    const page = dataOf<{ items: { id: string }[] }>(await query(issuer, "users.list", { query: email }, await adminToken()));
    return page.items[0]?.id ?? "";
  }
  const newUser = async (email: string, role = "user") => (await applyUser({ email, password: PASSWORD, role })).users[0]?.id ?? "";
  async function enter(email: string): Promise<Agent> {
    const agent = newAgent(issuer);
    const fields = { Email: email, Password: PASSWORD };
    await agent.submit(await agent.open("/sign-in"), { fields, button: "Sign in" });
    expect(await isSignedIn(agent)).toBe(true);
    return agent;
  }
  const consoleTokens = (agent: Agent) => obtainTokens(agent, firstParty, { scope: "api:read console:read offline_access" });
  const appTokens = (agent: Agent) => obtainTokens(agent, web, { scope: "api:read offline_access" });

  /** Checked at once, for the refresh token too. */
  async function expectDead({ access, refresh: token }: Tokens, client: typeof web | typeof firstParty): Promise<void> {
    expect((await callApi(issuer, access)).status).toBe(401);
    expect(refusal(await refresh(issuer, client, token))).toEqual([400, "invalid_grant"]);
  }
  const expectAlive = async ({ access }: Tokens) => expect((await callApi(issuer, access)).status).toBe(200);

  describe("an address that a stranger signed up with", () => {
    test("RG-06 apply, the command line and the console give it no role and no password", async () => {
      const email = "ops@company.example";
      const stranger = await signUp(email);
      await expect(applyUser({ email, password: PASSWORD, role: "admin" })).rejects.toThrow(/users\.0\.email: .*"adopt": true/);
      const create = ["user", "create", "--email", email, "--name", "Ops", "--role", "admin"];
      await expect(gatehouse(create, own.env)).rejects.toThrow("--adopt");
      const promotion = await mutate(issuer, "users.update", { id: await idOf(email), role: "admin" }, await adminToken());
      expect(promotion.status).toBe(409);

      expect(await isSignedIn(stranger)).toBe(true); // and still has no role
      expect((await query(issuer, "users.list", {}, (await appTokens(stranger)).access)).status).toBe(403);
    });

    test.each<[string, (email: string) => Promise<unknown>]>([
      ["apply", (email) => applyUser({ email, password: PASSWORD, role: "admin", adopt: true })],
      [
        "the command line",
        (email) =>
          gatehouse(["user", "create", "--email", email, "--name", "Ops", "--role", "admin", "--password", PASSWORD, "--adopt"], own.env),
      ],
    ])("RG-05 adopted by %s, the account is empty: nothing of the stranger's lives", async (by, adopt) => {
      const email = `${by.replaceAll(" ", "-")}@company.example`;
      const stranger = await signUp(email);
      const tokens = await appTokens(stranger);
      await expectAlive(tokens);
      await adopt(email);

      expect(await isSignedIn(stranger)).toBe(false);
      await expectDead(tokens, web);
      expect((await trySignIn(email, STRANGERS, "10.9.9.9")).status).toBe(400);
      const ops = await enter(email);
      expect((await ops.open("/account/apps")).text).toContain("No apps have access");
      expect((await ops.request("/trpc/users.list?input={}")).status).toBe(200);
    });
  });

  describe("changes by an operator", () => {
    test("a higher role, by apply or in the console, ends earlier sessions and tokens", async () => {
      const email = "raised@company.example";
      const id = await newUser(email);
      const raises = [
        () => applyUser({ email, role: "viewer" }),
        async () => dataOf(await mutate(issuer, "users.update", { id, role: "developer" }, await adminToken())),
      ];
      for (const raise of raises) {
        const before = await enter(email);
        const tokens = await appTokens(before);
        await raise();
        expect(await isSignedIn(before)).toBe(false);
        await expectDead(tokens, web);
      }
    });

    test("a password reset ends them; a password without reset_password changes nothing", async () => {
      const email = "reset@company.example";
      await newUser(email);
      const before = await enter(email);
      const tokens = await appTokens(before);
      await applyUser({ email, password: "another good password" });
      expect(await isSignedIn(before)).toBe(true);
      await applyUser({ email, password: "another good password", reset_password: true });
      expect(await isSignedIn(before)).toBe(false);
      await expectDead(tokens, web);
    });
  });

  describe("the console's tokens", () => {
    test.each<[string, (agent: Agent, id: string) => Promise<unknown>]>([
      ["signing out", async (agent) => agent.submit(await agent.open("/account"), { button: "Sign out" })],
      [
        "ending the session from another browser",
        async (agent) => {
          const other = await enter((await agent.open("/account")).document.querySelector(".person .muted")?.text ?? "");
          await other.submit(await other.open("/account/sessions"), { button: "End session" });
        },
      ],
      [
        "signing out everywhere else in another browser",
        async (agent) => {
          const other = await enter((await agent.open("/account")).document.querySelector(".person .muted")?.text ?? "");
          await other.submit(await other.open("/account/sessions"), { button: "Sign out everywhere else" });
        },
      ],
      [
        "an admin who signs the person out everywhere",
        async (_, userId) => mutate(issuer, "sessions.revokeAll", { userId }, await adminToken()),
      ],
      ["an admin who revokes all tokens", async (_, id) => mutate(issuer, "users.revokeTokens", { id }, await adminToken())],
      [
        "disabling, even once enabled again",
        async (_, id) => {
          const token = await adminToken();
          for (const disabled of [true, false]) dataOf(await mutate(issuer, "users.setDisabled", { id, disabled }, token));
        },
      ],
    ])("end with %s", async (by, end) => {
      const email = `${by.replaceAll(/\W/g, "-")}@console.example`;
      const id = await newUser(email, "viewer");
      const agent = await enter(email);
      const tokens = await consoleTokens(agent);
      await expectAlive(tokens);
      await end(agent, id);
      await expectDead(tokens, firstParty);
    });

    test("survive signing in again in the same browser, and end with the new session", async () => {
      const email = "again@console.example";
      await newUser(email, "viewer");
      const agent = await enter(email);
      const tokens = await consoleTokens(agent);
      await trySignIn(email, PASSWORD, "10.9.9.8", agent);
      await expectAlive(tokens);
      await agent.submit(await agent.open("/account"), { button: "Sign out" });
      await expectDead(tokens, firstParty);
    });
  });

  test("signing out everywhere keeps third-party apps, unless the box is ticked", async () => {
    const email = "everywhere@company.example";
    await newUser(email);
    const agent = await enter(email);
    const tokens = await appTokens(agent);
    await agent.submit(await agent.open("/account/sessions"), { button: "Sign out everywhere else" });
    await expectAlive(tokens);
    const done = await agent.submit(await agent.open("/account/sessions"), {
      button: "Sign out everywhere else",
      override: { apps: "on" },
    });
    expect(done.text).toContain("no apps have access");
    await expectDead(tokens, web);
    expect(await isSignedIn(agent)).toBe(true);
  });

  test("disabling a user ends third-party tokens permanently", async () => {
    const email = "off@company.example";
    const id = await newUser(email);
    const tokens = await appTokens(await enter(email));
    const token = await adminToken();
    for (const disabled of [true, false]) dataOf(await mutate(issuer, "users.setDisabled", { id, disabled }, token));
    await expectDead(tokens, web);
  });

  describe("account:read and account:write", () => {
    test("a third party with api:read and api:write can neither list nor end sessions", async () => {
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

  describe("wrong passwords", () => {
    const known = (agent: Agent) => [...agent.cookies.keys()].filter((name) => name.includes("known"));

    test("AB-02 AB-04 ten from anywhere limit an account, existing or invented alike", async () => {
      await newUser("guessed@company.example");
      const answers: Page[] = [];
      for (const email of ["guessed@company.example", "invented@company.example"]) {
        for (let tries = 0; tries < 10; tries++) expect((await trySignIn(email, "wrong", `2001:db8:1:${tries}::7`)).status).toBe(400);
        answers.push(await trySignIn(email, PASSWORD, "2001:db8:2:1::8"));
      }
      expect(answers.map(({ status }) => status)).toEqual([429, 429]);
      for (const { headers } of answers) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      const words = (page: Page) => page.document.querySelector("main")?.text.replaceAll(page.headers.get("gatehouse-error-id") ?? "", "");
      expect(words(answers[0] as Page)).toBe(words(answers[1] as Page));
      expect(words(answers[0] as Page)).not.toMatch(/lock/i);
    });

    test("AB-03 N70 eleven by strangers do not keep the owner's browser out", async () => {
      const email = "sprayed@company.example";
      await newUser(email);
      const owner = await enter(email);
      expect(known(owner)).toHaveLength(1);
      for (let tries = 0; tries < 11; tries++)
        expect((await trySignIn(email, "wrong", `10.${engine.length}.1.${tries}`)).status).toBe(tries < 10 ? 400 : 429);
      expect((await trySignIn(email, PASSWORD, "10.8.8.8")).status).toBe(429);
      expect((await trySignIn(email, "wrong", "10.8.8.9", owner)).status).toBe(400);
      expect((await trySignIn(email, PASSWORD, "10.8.8.9", owner)).status).toBe(303);
    });

    test("AB-03 a known browser has its own counter, for its own account only, until the account is emptied", async () => {
      const [email, other] = ["known@company.example", "unknown@company.example"];
      await newUser(email);
      await newUser(other);
      const owner = await enter(email);
      for (let tries = 0; tries < 10; tries++) expect((await trySignIn(email, "wrong", `10.7.${tries}.1`, owner)).status).toBe(400);
      expect((await trySignIn(email, PASSWORD, "10.7.11.1", owner)).status).toBe(429);

      for (let tries = 0; tries < 10; tries++) expect((await trySignIn(other, "wrong", "10.7.12.1", owner)).status).toBe(400);
      expect((await trySignIn(other, PASSWORD, "10.7.12.1", owner)).status).toBe(429);

      await applyUser({ email, password: "another good password", reset_password: true });
      expect((await trySignIn(email, "another good password", "10.7.13.1", owner)).status).toBe(303);
    });
  });

  test(`the first admin of the environment is there beside ${emailOf("admin")}`, async () => {
    const { GATEHOUSE_ADMIN_EMAIL: email = "", GATEHOUSE_ADMIN_PASSWORD: password = "" } = own.env;
    expect((await trySignIn(email, password, "10.6.6.6")).status).toBe(303);
  });
});
