import { cookieName } from "@gatehouse/auth";
import { beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callApi, obtainTokens, refresh, refusal } from "../harness/flow.ts";
import { SQLITE, sharedGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { addUser } from "../harness/people.ts";
import { enrolTotp } from "../harness/second-factor.ts";

// The pages of a new password. What a link and a new password may do is held by
// packages/console/src/users/password-reset.test.ts and packages/accounts/src/passwords/rules.test.ts.

const NEW = "a new and better password";
const FORWARDED = {
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "https",
  "x-forwarded-port": "444",
  forwarded: "host=evil.example",
};

describe.each(SQLITE)("the pages of a new password, on %s", (engine) => {
  let issuer: string;
  let env: Record<string, string>;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    ({ issuer, env } = await sharedGatehouse(engine));
    mailbox = await openMailbox(issuer);
  });

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const ask = async (email: string, agent = newAgent(issuer), headers = {}) =>
    agent.submit(await agent.open("/forgot-password"), {
      fields: { Email: email },
      button: "Send reset link",
      headers,
    });
  const setPassword = async (agent: Agent, link: string) =>
    agent.submit(await agent.open(link), { fields: { "New password": NEW }, button: "Set password" });
  async function linkFor(email: string): Promise<string> {
    const { link } = await mailbox.next(email, "reset_link");
    return link?.slice(issuer.length) ?? "";
  }
  /** The page after a sign-in with a password. */
  const tryPassword = async (agent: Agent, email: string, password: string) =>
    agent.submit(await agent.open("/sign-in"), { fields: { Email: email, Password: password }, button: "Sign in" });
  async function enter(email: string, password = PASSWORD, agent = newAgent(issuer)): Promise<Agent> {
    await tryPassword(agent, email, password);
    return agent;
  }

  test("FP-02 N46 HEAD and GET of the link leave it usable, and the token leaves the URL; N47 a used link shows a page and changes nothing", async () => {
    const email = "scanned@passwords.example";
    await addUser(env, { email });
    await ask(email);
    const link = await linkFor(email);
    const [agent, late] = [newAgent(issuer), newAgent(issuer)];
    await agent.request(link, { method: "HEAD" });
    for (let times = 0; times < 5; times++) {
      const moved = await agent.request(link);
      expect([moved.status, moved.headers.get("location")]).toEqual([303, "/reset-password"]);
    }
    const lateForm = await late.open(link);
    expect((await setPassword(agent, link)).url).toMatch(/\/sign-in\?/);
    expect(await isSignedIn(agent)).toBe(false);

    const second = await late.submit(lateForm, { fields: { "New password": `${NEW} again` }, button: "Set password" });
    expect([second.status, second.text]).toEqual([400, expect.stringContaining("This link no longer works")]);
    expect([await isSignedIn(await enter(email, `${NEW} again`)), await isSignedIn(await enter(email, NEW))]).toEqual([
      false,
      true,
    ]);
  });

  test("FP-05 the browser that asked continues with the request of its app", async () => {
    const email = "pending@passwords.example";
    await addUser(env, { email });
    const agent = newAgent(issuer);
    const signIn = await agent.open(authorizePath(CLIENTS.web));
    const links = signIn.document.querySelectorAll("a").map((link) => link.getAttribute("href") ?? "");
    const form = await agent.open(links.find((href) => href.startsWith("/forgot-password?")) ?? "");
    await agent.submit(form, { fields: { Email: email }, button: "Send reset link" });
    const done = await setPassword(agent, await linkFor(email));
    const next = await agent.submit(done, { fields: { Password: NEW }, button: "Sign in" });
    expect(next.text).toContain("Allow");
  });

  test.each([
    ["Host", { host: "evil.example" }],
    ["Host with a port", { host: "evil.example:444" }],
    ["X-Forwarded-Host", FORWARDED],
    ["both", { host: "evil.example", ...FORWARDED }],
  ])(
    "N45 FP-06 the mailed link has the issuer with a hostile %s, and the answer does not name the host",
    async (name, headers) => {
      const email = `host-${name.replaceAll(" ", "-").toLowerCase()}@passwords.example`;
      await addUser(env, { email });
      const agent = newAgent(issuer);
      const answer = await agent.post(await agent.open("/forgot-password"), {
        fields: { Email: email },
        button: "Send reset link",
        headers,
      });
      expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
      expect(answer.text).not.toContain("evil.example");
      expect((await mailbox.next(email, "reset_link")).link).toMatch(new RegExp(`^${issuer}/reset-password\\?token=`));
    },
  );

  test("FP-01 an address without an account gets the same answer, and no mail", async () => {
    const texts = [];
    for (const email of ["known@passwords.example", "other@passwords.example"]) {
      if (email.startsWith("known")) await addUser(env, { email });
      const page = await ask(email);
      expect([page.status, page.url]).toEqual([200, `${issuer}/forgot-password`]);
      texts.push(page.text.replaceAll(email, "").replaceAll(/name="csrf" value="[^"]*"/g, ""));
    }
    expect(texts[0]).toBe(texts[1]);
    await mailbox.next("known@passwords.example", "reset_link");
    expect(await mailbox.to("other@passwords.example")).toEqual([]);
  });

  test("N48 N49 FP-04 a reset ends sessions, tokens and remembered browsers; the authenticator app stays, and sign-in still asks for it", async () => {
    const email = "factor@passwords.example";
    await addUser(env, { email });
    const owner = await enter(email);
    const app = await enrolTotp(owner);
    const tokens = await obtainTokens(owner, CLIENTS.web, { scope: "api:read offline_access" });
    const remembered = newAgent(issuer);
    const step = await tryPassword(remembered, email, PASSWORD);
    expect([new URL(step.url).pathname, await isSignedIn(remembered)]).toEqual(["/sign-in/second-step", false]);
    await remembered.submit(step, {
      fields: { Code: app.nextCode() },
      button: "Continue",
      override: { remember: "1" },
    });
    expect(await isSignedIn(await enter(email, PASSWORD, remembered))).toBe(true); // skips the step until the reset

    await ask(email);
    const other = newAgent(issuer);
    await setPassword(other, await linkFor(email));
    expect([await isSignedIn(owner), await isSignedIn(remembered)]).toEqual([false, false]);
    expect((await callApi(issuer, tokens.access)).status).toBe(401);
    expect(refusal(await refresh(issuer, CLIENTS.web, tokens.refresh))).toEqual([400, "invalid_grant"]);
    await mailbox.next(email, "password_reset");
    for (const browser of [remembered, other]) {
      const asked = await tryPassword(browser, email, NEW);
      expect([new URL(asked.url).pathname, await isSignedIn(browser)]).toEqual(["/sign-in/second-step", false]);
    }
    const asked = await tryPassword(other, email, NEW);
    const toRecovery = asked.document.querySelectorAll("a").find(({ text }) => text === "Use a recovery code");
    const recovery = await other.open(toRecovery?.getAttribute("href") ?? "");
    await other.submit(recovery, { fields: { Code: app.recovery[0] ?? "" }, button: "Continue" });
    expect(await isSignedIn(other)).toBe(true); // the factor is as it was
  });

  test("PW-08 WE-02 N75 changing the password keeps this session under a new secret and ends the others", async () => {
    const email = "changes@passwords.example";
    await addUser(env, { email });
    const [here, there] = [await enter(email), await enter(email)];
    const sessionOf = (agent: Agent) =>
      [...agent.cookies].find(([name]) => name === cookieName("session", { issuer }))?.[1];
    const session = sessionOf(here);
    const form = await here.open("/account/password");
    const change = (from: string, to: string) =>
      here.submit(form, { fields: { "Current password": from, "New password": to }, button: "Change password" });
    const wrong = await change("not this one", NEW);
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("current password is incorrect")]);
    expect((await change(PASSWORD, PASSWORD)).text).toContain("This is your current password");
    for (const refused of ["fourteen chars", "passwordpassword", email])
      expect([refused, (await change(PASSWORD, refused)).status]).toEqual([refused, 400]);

    const composed = "cr\u00e8me br\u00fbl\u00e9e \u{1f36e} twice";
    expect((await change(PASSWORD, composed)).url).toMatch(/\/account\/security/);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect(sessionOf(here)).not.toBe(session);
    await mailbox.next(email, "password_changed");
    expect(composed.normalize("NFD")).not.toBe(composed);
    expect(await isSignedIn(await enter(email, composed.normalize("NFD")))).toBe(true);
  });
});
