import { newAuthenticator } from "@gatehouse/accounts/testing";
import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { cookieName } from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page, readable } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorize, authorizePath, callback, redirectUriOf } from "../harness/flow.ts";
import { type Gatehouse, POSTGRES, startGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { addPasskey, ceremonyOf, passkeySignIn } from "../harness/passkeys.ts";
import { enrolTotp } from "../harness/second-factor.ts";
import { consoleToken, mutate } from "../harness/trpc.ts";
import { AT_UPSTREAM, comeBack, leave, verified } from "../harness/upstream.ts";
import { expectErrorRedirect } from "./expectations.ts";

const { firstParty } = CLIENTS;
const STEP = "/sign-in/second-step";
const MFA = "urn:gatehouse:acr:mfa";
const NEW = "a new and better password";
const NAMES = [
  "by-password",
  "by-code",
  "by-link",
  "by-upstream",
  "by-reset",
  "codes",
  "tickets",
  "recovery",
  "remembered",
  "keys",
  "confirms",
];
const PEOPLE = [...NAMES, "no-factor"].map((name) => ({
  email: emailOf(name),
  password: PASSWORD,
  name,
  role: "user",
}));

describe.each(POSTGRES)("the second step on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let upstream: UpstreamServer;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    upstream = await startUpstreamServer(AT_UPSTREAM);
    own = await startGatehouse({ engine, fixture: fixture(), more: { users: PEOPLE } });
    issuer = own.issuer;
    mailbox = await openMailbox(issuer);
    const draft = {
      preset: "oidc",
      clientId: AT_UPSTREAM,
      secret: upstream.clientSecret,
      id: "corp",
      name: "Corp",
      issuer: upstream.issuer,
    };
    const settings = { trustEmail: true, link: "verified" };
    const made = await mutate(
      issuer,
      "signInProviders.create",
      { ...draft, settings },
      await consoleToken(issuer, "admin"),
    );
    expect(made.status, made.text).toBe(200);
  });
  afterAll(async () => {
    await own?.stop();
    upstream?.close();
  });

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const password = async (agent: Agent, name: string, secret = PASSWORD, path = "/sign-in"): Promise<Page> =>
    agent.submit(await agent.open(path), { fields: { Email: emailOf(name), Password: secret }, button: "Sign in" });
  const answer = (agent: Agent, page: Page, Code: string, override = {}) =>
    agent.post(page, { fields: { Code }, button: "Continue", override });

  /** A new browser after the password, at the second step. */
  async function atStep(name: string): Promise<{ agent: Agent; page: Page }> {
    const agent = newAgent(issuer);
    const page = await password(agent, name);
    expect(page.url).toContain(STEP);
    return { agent, page };
  }
  /** A signed-in browser of a user who has just set up an authenticator app there. */
  async function enrolled(name: string) {
    const agent = newAgent(issuer);
    await password(agent, name);
    return { agent, app: await enrolTotp(agent) };
  }
  async function expectNoSession(agent: Agent): Promise<void> {
    expect((await agent.open(authorizePath(firstParty))).url).toContain("/sign-in");
    expect((await agent.request("/account")).headers.get("location")).toMatch(/^\/sign-in/);
    expect((await agent.request("/trpc/me.get")).status).toBe(401);
    expect((await agent.request("/api/protected/me")).status).not.toBe(200);
  }

  describe("N54 MF-01 each first factor of a user with an authenticator app: no session without the step", () => {
    async function mailedCode(agent: Agent, email: string) {
      const seen = await mailbox.to(email);
      const page = await agent.submit(await agent.open("/sign-in"), {
        fields: { Email: email },
        button: "Email me a code",
      });
      return { page, mail: await mailbox.next(email, "sign_in_code", seen) };
    }
    const pathOf = (link: string | null) => (link ?? "").slice(issuer.length);

    const ways: Record<string, (agent: Agent, email: string) => Promise<Page>> = {
      "by-password": (agent) => password(agent, "by-password"),
      "by-code": async (agent, email) => {
        const { page, mail } = await mailedCode(agent, email);
        return agent.submit(page, { fields: { Code: mail.code ?? "" }, button: "Continue" });
      },
      "by-link": async (agent, email) => {
        const { mail } = await mailedCode(agent, email);
        return agent.submit(await agent.open(pathOf(mail.link)), { button: "Sign in" });
      },
      "by-upstream": async (agent, email) =>
        comeBack(agent, await leave(agent, "Continue with Corp"), upstream, verified(email)),
      "by-reset": async (agent, email) => {
        await agent.submit(await agent.open("/forgot-password"), {
          fields: { Email: email },
          button: "Send reset link",
        });
        const { link } = await mailbox.next(email, "reset_link");
        await agent.submit(await agent.open(pathOf(link)), { fields: { "New password": NEW }, button: "Set password" });
        return password(agent, "by-reset", NEW);
      },
    };

    test.each(Object.entries(ways))("N54 %s", async (name, prove) => {
      const { app } = await enrolled(name);
      const agent = newAgent(issuer);
      const page = await prove(agent, emailOf(name));
      expect(page.url, readable(page)).toContain(STEP);
      await expectNoSession(agent);
      const asked = await agent.open(STEP);
      expect((await answer(agent, asked, "000000")).status).toBe(400);
      await expectNoSession(agent);
      await answer(agent, await agent.open(STEP), app.nextCode());
      expect(await isSignedIn(agent)).toBe(true);
    });
  });

  test("N52 MF-04 a code counts once: not the one of the setup, and not twice at the same moment", async () => {
    const { app } = await enrolled("codes");
    const { agent, page } = await atStep("codes");
    expect((await answer(agent, page, app.setupCode)).status).toBe(400);
    const code = app.nextCode();
    const all = await Promise.all(Array.from({ length: 4 }, () => answer(agent, page, code)));
    expect(all.filter(({ status }) => status === 303)).toHaveLength(1);
    const other = await atStep("codes");
    expect((await answer(other.agent, other.page, code)).status).toBe(400);
    expect(await isSignedIn(other.agent)).toBe(false);
  });

  test("N53 MF-02 codes of other times, a sixth try and the ticket in another browser are refused", async () => {
    const { app } = await enrolled("tickets");
    const { agent, page } = await atStep("tickets");
    const thief = newAgent(issuer);
    await thief.open("/sign-in");
    const [name = "", value = ""] = [...agent.cookies].find(([key]) => key === cookieName("ticket", { issuer })) ?? [];
    thief.cookies.set(name, value);
    expect((await thief.request(STEP)).headers.get("location")).toBe("/sign-in");

    for (const code of [app.codeAt(-2), app.codeAt(3), "000000", "000000", "000000"]) {
      expect((await answer(agent, page, code)).status).toBe(400);
    }
    const sixth = await answer(agent, page, app.nextCode());
    expect([sixth.status, await isSignedIn(agent)]).toEqual([400, false]);
    expect((await agent.request(STEP)).headers.get("location")).toBe("/sign-in");
  });

  test("N55 MF-05 a recovery code counts once: not again, not in parallel, and not after new ones were made", async () => {
    const { agent: owner, app } = await enrolled("recovery");
    const [first = "", second = "", third = ""] = app.recovery;
    const { agent, page } = await atStep("recovery");
    const all = await Promise.all(
      Array.from({ length: 4 }, () => answer(agent, page, first.toLowerCase().replaceAll("-", " "))),
    );
    expect(all.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await isSignedIn(agent)).toBe(true);
    const again = await atStep("recovery");
    expect((await answer(again.agent, again.page, first)).status).toBe(400);

    const made = await owner.submit(await owner.open("/account/security"), { button: "New recovery codes" });
    expect(readable(made)).toContain("Your recovery codes");
    const later = await atStep("recovery");
    for (const code of [second, third]) expect((await answer(later.agent, later.page, code)).status).toBe(400);
    expect(await isSignedIn(later.agent)).toBe(false);
  });

  test("N63 MF-08 a remembered browser skips the step, but not where a request asks for mfa", async () => {
    const { app } = await enrolled("remembered");
    const { agent, page } = await atStep("remembered");
    await answer(agent, page, app.nextCode(), { remember: "1" });
    expect((await password(agent, "remembered")).url).toBe(`${issuer}/account`);
    const asked = await agent.open(authorizePath(firstParty, { acr_values: MFA }));
    expect(asked.url).toContain(STEP);
    expect(readable(asked)).not.toContain("Not now");

    const fresh = newAgent(issuer);
    for (const [name, value] of agent.cookies)
      if (name !== cookieName("session", { issuer })) fresh.cookies.set(name, value);
    const start = await fresh.open(authorizePath(firstParty, { acr_values: MFA }));
    const step = await fresh.submit(start, {
      fields: { Email: emailOf("remembered"), Password: PASSWORD },
      button: "Sign in",
    });
    expect(step.url).toContain(STEP);
    await expectNoSession(fresh);
    const done = await fresh.submit(step, { fields: { Code: app.recovery[0] ?? "" }, button: "Continue" });
    expect(callback(done).params.has("code")).toBe(true);
  });

  test("N64 AL-02 an essential acr that is not met: an error for the client, and login_required with prompt=none", async () => {
    const agent = newAgent(issuer);
    await password(agent, "no-factor");
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [MFA] } } });
    const expected = { to: redirectUriOf(firstParty), iss: issuer, state: "the-state" };
    const silent = await agent.open(authorizePath(firstParty, { scope: "openid", claims, prompt: "none" }));
    expectErrorRedirect(silent, "login_required", expected);
    const offered = await agent.open(authorizePath(firstParty, { scope: "openid", claims }));
    expect(offered.url).toContain(STEP);
    expectErrorRedirect(
      await agent.submit(offered, { button: "Not now" }),
      "unmet_authentication_requirements",
      expected,
    );
    const wished = await agent.open(authorizePath(firstParty, { scope: "openid", acr_values: MFA }));
    expect(callback(await agent.submit(wished, { button: "Not now" })).params.has("code")).toBe(true);
  });

  test("WA-07 MF-01 a passkey is a second step, also without user verification, which is no first factor", async () => {
    const { agent: owner } = await enrolled("keys");
    const authenticator = newAuthenticator(issuer);
    expect((await addPasskey(owner, authenticator)).status).toBe(303);
    const unverified = newAgent(issuer);
    expect((await passkeySignIn(unverified, authenticator, { uv: false })).status).toBe(400);
    await expectNoSession(unverified);

    const { agent, page } = await atStep("keys");
    const { options, button } = ceremonyOf(page, "get");
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.credentialId }]);
    await agent.submit(page, { button, override: { credential: authenticator.get(options, { uv: false }) } });
    expect(await isSignedIn(agent)).toBe(true);
    const silent = await authorize(agent, firstParty, { scope: "openid", acr_values: MFA, prompt: "none" });
    expect(callback(silent).params.has("code")).toBe(true);
  });

  test("SN-03 WA-03 /sign-in/confirm asks sessions from before the app for its code, and once there is a passkey, for that", async () => {
    const [byCode, byPasskey] = [newAgent(issuer), newAgent(issuer)];
    for (const agent of [byCode, byPasskey]) await password(agent, "confirms");
    const { agent: owner, app } = await enrolled("confirms");
    const asked = await byCode.open("/account/password");
    expect(asked.url).toContain("/sign-in/confirm");
    const wrong = await byCode.submit(asked, { fields: { Code: "000000" }, button: "Continue" });
    expect([wrong.status, readable(wrong)]).toEqual([400, expect.stringContaining("Incorrect code")]);
    const done = await byCode.submit(wrong, { fields: { Code: app.nextCode() }, button: "Continue" });
    expect(done.url).toBe(`${issuer}/account/password`);

    const authenticator = newAuthenticator(issuer);
    expect((await addPasskey(owner, authenticator)).status).toBe(303);
    expect((await byCode.open("/account/password")).url).toContain("/sign-in/confirm");
    const page = await byPasskey.open("/account/password");
    const { options, button } = ceremonyOf(page, "get");
    const confirmed = await byPasskey.submit(page, { button, override: { credential: authenticator.get(options) } });
    expect(confirmed.url).toBe(`${issuer}/account/password`);
  });
});
