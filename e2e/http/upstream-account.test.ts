import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { newAuthenticator } from "@gatehouse/accounts/testing";
import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page, readable } from "../harness/agent.ts";
import { openClock } from "../harness/clock.ts";
import { emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { obtainCode, redeem, signIn } from "../harness/flow.ts";
import { type Gatehouse, SQLITE, startGatehouse } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { addPasskey, passkeySignIn } from "../harness/passkeys.ts";
import { enrolTotp } from "../harness/second-factor.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { AT_UPSTREAM, comeBack, leave, verified } from "../harness/upstream.ts";

const NEW = "a new and better password";
const at = (name: string) => `${name}@bound.example`;
const PEOPLE = [
  ...["password", "passkey", "code", "reset", "asks-reset", "proves"].map((name) => ({ name, role: "user" })),
  { name: "boss", role: "admin" },
].map(({ name, role }) => ({ email: at(name), password: PASSWORD, name, role }));

const BYE = "http://localhost:4999/bye?from=gatehouse";
const SHOP = {
  client_id: "shop-with-logout",
  type: "web",
  client_secret: "only-for-tests-0123456789-0123456789",
  redirect_uris: ["http://localhost:4999/callback"],
  post_logout_redirect_uris: [BYE],
  grant_types: ["authorization_code"],
  scopes: ["openid"],
};

describe.each(SQLITE)("accounts that belong to a provider, on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let corp: UpstreamServer;
  let bound: UpstreamServer;
  let admin: string;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    [corp, bound] = await Promise.all([startUpstreamServer(AT_UPSTREAM), startUpstreamServer(AT_UPSTREAM)]);
    const more = { users: PEOPLE, applications: [{ name: "Shop", environments: { development: SHOP } }] };
    own = await startGatehouse({ engine, fixture: fixture(), more });
    issuer = own.issuer;
    mailbox = await openMailbox(issuer);
    admin = await consoleToken(issuer, "admin");
    await create({
      id: "corp",
      name: "Corp",
      issuer: corp.issuer,
      settings: { trustEmail: true, logout: "id_token_hint" },
    });
  });
  afterAll(async () => {
    await own?.stop();
    corp?.close();
    bound?.close();
  });

  async function create(provider: object): Promise<void> {
    const draft = { preset: "oidc", clientId: AT_UPSTREAM, secret: corp.clientSecret, ...provider };
    const answer = await mutate(issuer, "signInProviders.create", draft, admin);
    expect(answer.status, answer.text).toBe(200);
  }
  async function invite(email: string, role: string): Promise<string> {
    const answer = await mutate(issuer, "invitations.create", { email, role }, admin);
    expect(answer.status, answer.text).toBe(200);
    return ((await mailbox.next(email, "invitation")).link ?? "").slice(issuer.length);
  }
  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const meOf = async (agent: Agent) => json(await agent.request("/api/protected/me"))["user"];
  const enter = (agent: Agent, page: Page, name: string, secret = PASSWORD) =>
    agent.post(page, { fields: { Email: at(name), Password: secret }, button: "Sign in" });

  async function expectSentToProvider(agent: Agent, answer: Page, email: string): Promise<void> {
    const to = new URL(answer.headers.get("location") ?? "", issuer);
    expect([to.origin, to.searchParams.get("login_hint")], readable(answer)).toEqual([bound.issuer, email]);
    expect(await isSignedIn(agent)).toBe(false);
  }

  /** A browser with a passkey for this user, who had one before the domain was bound. */
  async function passkeyOf(name: string) {
    const agent = newAgent(issuer);
    await agent.follow(await enter(agent, await agent.open("/sign-in"), name));
    const authenticator = newAuthenticator(issuer);
    expect((await addPasskey(agent, authenticator)).status).toBe(303);
    return authenticator;
  }

  test("UP-12 LO-01 a logout of an application from a session with another first factor redirects at once", async () => {
    const agent = await signIn(issuer, "email-sign-in");
    const { id_token: hint } = json(await redeem(issuer, SHOP, await obtainCode(agent, SHOP, { scope: "openid" })));
    const query = new URLSearchParams({ id_token_hint: String(hint), post_logout_redirect_uri: BYE });
    const page = await agent.request(`/logout?${query}`);
    expect([page.status, page.headers.get("location")]).toEqual([303, BYE]);
  });

  test("UP-10 once a provider takes over a domain, its addresses go there whatever the way; admins keep their passkeys", async () => {
    const [users, bosss] = [await passkeyOf("passkey"), await passkeyOf("boss")];
    const signIn = async () => {
      const agent = newAgent(issuer);
      return { agent, page: await agent.open("/sign-in") };
    };
    const [password, code, reset, asksReset, signUp, boss] = [
      await signIn(),
      await signIn(),
      await signIn(),
      await signIn(),
      await signIn(),
      await signIn(),
    ];
    const codePage = await code.agent.submit(code.page, { fields: { Email: at("code") }, button: "Email me a code" });
    const mailed = await mailbox.next(at("code"), "sign_in_code");
    const forgot = await reset.agent.open("/forgot-password");
    await reset.agent.submit(forgot, { fields: { Email: at("reset") }, button: "Send reset link" });
    const { link } = await mailbox.next(at("reset"), "reset_link");
    const newAccount = await signUp.agent.open("/sign-up");
    const invited = newAgent(issuer);
    const invitation = await invited.open(await invite(at("invited"), "viewer"));

    await create({
      id: "bound",
      name: "Bound",
      issuer: bound.issuer,
      settings: { trustEmail: true, domains: ["bound.example"], logout: "client_id" },
    });

    await expectSentToProvider(password.agent, await enter(password.agent, password.page, "password"), at("password"));
    await expectSentToProvider(
      password.agent,
      await enter(password.agent, password.page, "nobody", "wrong"),
      at("nobody"),
    );
    const byCode = await code.agent.post(codePage, { fields: { Code: mailed.code ?? "" }, button: "Continue" });
    await expectSentToProvider(code.agent, byCode, at("code"));
    const again = await code.agent.post(code.page, { fields: { Email: at("code") }, button: "Email me a code" });
    await expectSentToProvider(code.agent, again, at("code"));
    const fields = { Name: "Ada", Email: at("new"), Password: NEW };
    await expectSentToProvider(
      signUp.agent,
      await signUp.agent.post(newAccount, { fields, button: "Create account" }),
      at("new"),
    );
    const asked = await asksReset.agent.post(forgot, {
      fields: { Email: at("asks-reset") },
      button: "Send reset link",
      override: { csrf: asksReset.page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "" },
    });
    await expectSentToProvider(asksReset.agent, asked, at("asks-reset"));
    const form = await reset.agent.open((link ?? "").slice(issuer.length));
    const set = await reset.agent.submit(form, { fields: { "New password": NEW }, button: "Set password" });
    await expectSentToProvider(reset.agent, await enter(reset.agent, set, "reset", NEW), at("reset"));
    const accepted = await invited.post(invitation, {
      fields: { Name: "Ada", Password: NEW },
      button: "Accept invitation",
    });
    await expectSentToProvider(invited, accepted, at("invited"));

    const byPasskey = newAgent(issuer);
    await expectSentToProvider(byPasskey, await passkeySignIn(byPasskey, users), at("passkey"));
    await expectSentToProvider(boss.agent, await enter(boss.agent, boss.page, "boss"), at("boss"));
    await passkeySignIn(boss.agent, bosss);
    expect(await isSignedIn(boss.agent)).toBe(true);
  });

  test("UP-08 UP-10 an account of the domain is proved once with its password, and is connected", async () => {
    const agent = newAgent(issuer);
    const asked = await comeBack(agent, await leave(agent, "Continue with Bound"), bound, verified(at("proves")));
    expect(readable(asked)).toContain("There's already an account with this email");
    await expectSentToProvider(newAgent(issuer), await enter(agent, asked, "password"), at("password"));
    await agent.follow(await enter(agent, asked, "proves"));
    expect(await meOf(agent)).toMatchObject({ email: at("proves") });
    const later = newAgent(issuer);
    await comeBack(later, await leave(later, "Continue with Bound"), bound, verified(at("proves")));
    expect(await isSignedIn(later)).toBe(true);
  });

  test("UP-09 RG-08 an invited address that arrives from a provider has the role of its invitation, which is used", async () => {
    const link = await invite(at("guest"), "developer");
    const agent = newAgent(issuer);
    const page = await agent.open(link);
    expect(readable(page)).not.toContain("Password");
    const sent = await agent.post(page, { button: "Continue with Bound" });
    await comeBack(agent, new URL(sent.headers.get("location") ?? ""), bound, verified(at("guest")));
    expect(await meOf(agent)).toMatchObject({ email: at("guest"), role: "developer" });
    expect((await newAgent(issuer).open(link)).status).toBe(400);

    const email = "someone@elsewhere.example";
    await invite(email, "viewer");
    const unverified = newAgent(issuer);
    await comeBack(unverified, await leave(unverified, "Continue with Corp"), corp, {
      ...verified(email),
      email_verified: false,
    });
    expect(await isSignedIn(unverified)).toBe(false);
    const other = newAgent(issuer);
    await comeBack(other, await leave(other, "Continue with Corp"), corp, verified(email));
    expect(await meOf(other)).toMatchObject({ email, role: "viewer" });
  });

  test("SN-03 UP-13 an account with only an identity confirms at its provider, with a new sign-in of the same identity", async () => {
    const now = () => Math.floor(Date.now() / 1000);
    const claims = verified("only@corp.example");
    const agent = newAgent(issuer);
    await comeBack(agent, await leave(agent, "Continue with Corp"), corp, { ...claims, auth_time: now() - 3600 });
    expect(await isSignedIn(agent)).toBe(true);

    const asked = await agent.submit(await agent.open("/account/security"), { button: "Remove" });
    expect(asked.url).toContain("/sign-in/confirm");
    expect([readable(asked).includes("Password"), readable(asked)]).toEqual([
      false,
      expect.stringContaining("Continue with Corp"),
    ]);
    const again = async () => {
      const sent = new URL((await agent.post(asked, { button: "Continue with Corp" })).headers.get("location") ?? "");
      expect([sent.origin, sent.searchParams.get("prompt"), sent.searchParams.get("max_age")]).toEqual([
        corp.issuer,
        "login",
        "0",
      ]);
      return sent;
    };
    const old = await comeBack(agent, await again(), corp, { ...claims, auth_time: now() - 3600 });
    expect([old.status, readable(old)]).toEqual([
      403,
      expect.stringContaining("didn't confirm that you've just signed in"),
    ]);
    const other = await comeBack(agent, await again(), corp, { ...verified("other@corp.example"), auth_time: now() });
    expect([other.status, readable(other)]).toEqual([403, expect.stringContaining("isn't connected to your account")]);
    expect((await agent.open("/account/password")).url).toContain("/sign-in/confirm");

    const done = await comeBack(agent, await again(), corp, { ...claims, auth_time: now() });
    expect(readable(done)).toContain("Continue to finish your change");
    const kept = await agent.submit(done, { button: "Continue" });
    expect([kept.status, readable(kept)]).toEqual([200, expect.stringContaining("The connection was removed")]);
    expect((await agent.open("/account/password")).url).toBe(`${issuer}/account/password`);
  });

  test("SN-03 UP-13 a provider that does not say when the user signed in confirms only where there is no password", async () => {
    const claims = verified("no-auth-time@corp.example");
    const confirmedAtCorp = async () => {
      const agent = newAgent(issuer);
      const earlier = { ...claims, auth_time: Math.floor(Date.now() / 1000) - 3600 };
      await comeBack(agent, await leave(agent, "Continue with Corp"), corp, earlier);
      const asked = await agent.open("/account/password");
      expect(asked.url).toContain("/sign-in/confirm");
      const sent = await agent.post(asked, { button: "Continue with Corp" });
      return { agent, answer: await comeBack(agent, new URL(sent.headers.get("location") ?? ""), corp, claims) };
    };
    const { agent } = await confirmedAtCorp();
    const form = await agent.open("/account/password");
    const set = await agent.submit(form, { fields: { "New password": NEW }, button: "Set password" });
    expect(set.url, readable(set)).toContain("/account/security");

    const later = await confirmedAtCorp();
    expect([later.answer.status, readable(later.answer)]).toEqual([
      403,
      expect.stringContaining("didn't confirm that you've just signed in"),
    ]);
    expect((await later.agent.open("/account/password")).url).toContain("/sign-in/confirm");
  });

  test("SN-03 CO-88 a confirmation at the provider makes a session fresh only together with the second factor", async () => {
    const claims = verified("both@corp.example");
    const now = () => Math.floor(Date.now() / 1000);
    const agent = newAgent(issuer);
    await comeBack(agent, await leave(agent, "Continue with Corp"), corp, { ...claims, auth_time: now() });
    const app = await enrolTotp(agent);
    const clock = await openClock(own.env);
    await clock.ageSessions(claims.email, 3600);
    await clock.close();
    const freshFor = async () =>
      dataOf<{ freshForSeconds: number }>(await agent.request("/trpc/me.get")).freshForSeconds;

    const asked = await agent.open("/account/password");
    const sent = await agent.post(asked, { button: "Continue with Corp" });
    const half = await comeBack(agent, new URL(sent.headers.get("location") ?? ""), corp, {
      ...claims,
      auth_time: now(),
    });
    expect([half.url, await freshFor()]).toEqual([expect.stringContaining("/sign-in/confirm"), 0]);
    const whole = await agent.submit(half, { fields: { Code: app.nextCode() }, button: "Continue" });
    expect([whole.url, await freshFor()]).toEqual([`${issuer}/account/password`, expect.closeTo(600, -1)]);
  });

  test("SN-03 UP-13 a new sign-in at a provider without auth_time allows no sensitive change", async () => {
    const claims = verified("silent@corp.example");
    const now = () => Math.floor(Date.now() / 1000);
    const signInAgain = async (said: object) => {
      const agent = newAgent(issuer);
      await comeBack(agent, await leave(agent, "Continue with Corp"), corp, { ...claims, ...said });
      expect(await isSignedIn(agent)).toBe(true);
      return agent;
    };
    // With the provider alone.
    expect((await (await signInAgain({})).open("/account/password")).url).toContain("/sign-in/confirm");
    // With a password, which only a sign-in that the provider vouches for may choose.
    const vouched = await signInAgain({ auth_time: now() });
    const set = await vouched.submit(await vouched.open("/account/password"), {
      fields: { "New password": NEW },
      button: "Set password",
    });
    expect(set.url, readable(set)).toContain("/account/security");
    const agent = await signInAgain({});
    const asked = await agent.open("/account/email");
    expect(asked.url).toContain("/sign-in/confirm");
    const proved = await agent.submit(asked, { fields: { Password: NEW }, button: "Continue" });
    expect(proved.url, readable(proved)).toBe(`${issuer}/account/email`);
  });

  test("UP-12 signing out offers the provider too: with the ID token, or the client id; its tokens are not stored", async () => {
    const signOut = async (name: string, provider: UpstreamServer, email: string) => {
      const agent = newAgent(issuer);
      await comeBack(agent, await leave(agent, `Continue with ${name}`), provider, verified(email));
      const page = await agent.submit(await agent.open("/account"), { button: "Sign out" });
      expect(await isSignedIn(agent)).toBe(false);
      const link = page.document.querySelectorAll("a").find(({ text }) => text.trim() === `Also sign out of ${name}`);
      return new URL(link?.getAttribute("href")?.replaceAll("&amp;", "&") ?? "");
    };
    const byToken = await signOut("Corp", corp, "leaves@corp.example");
    expect(byToken.origin + byToken.pathname).toBe(`${corp.issuer}/end-session`);
    expect(byToken.searchParams.get("post_logout_redirect_uri")).toBe(`${issuer}/sign-in`);
    const hint = byToken.searchParams.get("id_token_hint") ?? "";
    expect(JSON.parse(Buffer.from(hint.split(".")[1] ?? "", "base64url").toString())).toMatchObject({
      email: "leaves@corp.example",
    });

    const byId = await signOut("Bound", bound, at("leaves"));
    expect([byId.searchParams.get("client_id"), byId.searchParams.has("id_token_hint")]).toEqual([AT_UPSTREAM, false]);

    if (engine !== "sqlite") return;
    const folder = own.env["GATEHOUSE_DATA_DIR"] ?? "";
    const files = (await readdir(folder)).filter((name) => name.startsWith("gatehouse.db"));
    const stored = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name)))));
    expect(stored.includes("leaves@corp.example")).toBe(true);
    expect([stored.includes("upstream-access-token"), stored.includes(hint.slice(0, 40))]).toEqual([false, false]);
  });

  test.each([
    [
      "with a hint",
      (hint: string) => ({ id_token_hint: hint, post_logout_redirect_uri: BYE, state: "s" }),
      `${BYE}&state=s`,
      "localhost:4999",
    ],
    [
      "after the user confirmed",
      () => ({ client_id: SHOP.client_id, post_logout_redirect_uri: BYE }),
      BYE,
      "localhost:4999",
    ],
    ["without an address to return to", () => ({}), "/sign-in", undefined],
  ])(
    "UP-12 LO-01 a logout of an application, %s, offers the provider too, and then goes on",
    async (_, parameters, onwards, host) => {
      const agent = newAgent(issuer);
      await comeBack(agent, await leave(agent, "Continue with Corp"), corp, verified("leaves@corp.example"));
      const { id_token: hint } = json(await redeem(issuer, SHOP, await obtainCode(agent, SHOP, { scope: "openid" })));
      const asked = await agent.open(`/logout?${new URLSearchParams(parameters(String(hint)))}`);
      const page = asked.text.includes("Also sign out") ? asked : await agent.submit(asked, { button: "Sign out" });
      expect([page.status, await isSignedIn(agent)], readable(page)).toEqual([200, false]);
      const hrefOf = (label: string) =>
        page.document
          .querySelectorAll("a")
          .find(({ text }) => text.trim() === label)
          ?.getAttribute("href")
          ?.replaceAll("&amp;", "&");
      const there = new URL(hrefOf("Also sign out of Corp") ?? "");
      expect([there.origin, there.searchParams.has("id_token_hint")]).toEqual([corp.issuer, true]);
      expect(hrefOf(host === undefined ? "Sign in again" : `Continue to ${host}`)).toBe(onwards);
    },
  );

  test("UP-10 ML-01 beside a provider that has a domain, an address of another domain is mailed a code, and a new one", async () => {
    const email = emailOf("email-sign-in");
    const agent = newAgent(issuer);
    let page = await agent.open("/sign-in");
    for (const press of [{ fields: { Email: email }, button: "Email me a code" }, { button: "Send a new code" }]) {
      const seen = await mailbox.to(email);
      page = await agent.submit(page, press);
      expect(page.url).toContain("/sign-in/code");
      expect((await mailbox.next(email, "sign_in_code", seen)).code).toMatch(/^\d{8}$/);
    }
  });

  test("UP-12 a provider without the setting is not mentioned", async () => {
    await create({ id: "plain", name: "Plain", issuer: corp.issuer, settings: { trustEmail: true } });
    const agent = newAgent(issuer);
    await comeBack(agent, await leave(agent, "Continue with Plain"), corp, verified("plain@corp.example"));
    const page = await agent.submit(await agent.open("/account"), { button: "Sign out" });
    expect(page.url).toBe(`${issuer}/sign-in`);
    expect(
      dataOf(await mutate(issuer, "signInProviders.setEnabled", { id: "plain", enabled: false }, admin)),
    ).toMatchObject({
      enabled: false,
    });
  });
});
