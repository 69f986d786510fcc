import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callApi, obtainTokens, refresh, refusal } from "../harness/flow.ts";
import { apply, ENGINES, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { enrolTotp } from "../harness/second-factor.ts";

const NEW = "a new and better password";

describe.each(ENGINES)("passwords on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let folder: string;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    issuer = own.issuer;
    folder = await mkdtemp(join(tmpdir(), "gatehouse-passwords-"));
    mailbox = await openMailbox(issuer);
  });
  afterAll(async () => {
    await own?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const newUser = (email: string) => apply({ users: [{ email, password: PASSWORD }] }, folder, own.env);
  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const ask = async (email: string, agent = newAgent(issuer), headers = {}) =>
    agent.submit(await agent.open("/forgot-password"), { fields: { Email: email }, button: "Send reset link", headers });
  async function linkFor(email: string): Promise<string> {
    const { link } = await mailbox.next(email, "reset_link");
    return link?.slice(issuer.length) ?? "";
  }
  async function enter(email: string, password = PASSWORD, agent = newAgent(issuer)): Promise<Agent> {
    await agent.submit(await agent.open("/sign-in"), { fields: { Email: email, Password: password }, button: "Sign in" });
    return agent;
  }

  test("FP-01 the answer is the same for every address", async () => {
    await newUser("known@passwords.example");
    const texts = [];
    for (const email of ["known@passwords.example", "other@passwords.example"]) {
      const page = await ask(email);
      expect([page.status, page.url]).toEqual([200, `${issuer}/forgot-password`]);
      texts.push(page.text.replaceAll(email, "").replaceAll(/name="csrf" value="[^"]*"/g, ""));
    }
    expect(texts[0]).toBe(texts[1]);
    await mailbox.next("known@passwords.example", "reset_link");
    expect(await mailbox.to("other@passwords.example")).toEqual([]);
  });

  test("FP-02 N46 HEAD and GET of the link leave it usable, and the token leaves the URL", async () => {
    const email = "scanned@passwords.example";
    await newUser(email);
    await ask(email);
    const link = await linkFor(email);
    const agent = newAgent(issuer);
    await agent.request(link, { method: "HEAD" });
    for (let times = 0; times < 5; times++) {
      const moved = await agent.request(link);
      expect([moved.status, moved.headers.get("location")]).toEqual([303, "/reset-password"]);
    }
    const done = await agent.submit(await agent.open(link), { fields: { "New password": NEW }, button: "Set password" });
    expect(done.url).toMatch(/\/sign-in\?/);
    expect(await isSignedIn(agent)).toBe(false);
    expect(await isSignedIn(await enter(email, NEW))).toBe(true);
  });

  test("FP-05 the browser that asked continues with the request of its app", async () => {
    const email = "pending@passwords.example";
    await newUser(email);
    const agent = newAgent(issuer);
    const signIn = await agent.open(authorizePath(CLIENTS.web));
    const forgot = signIn.document.querySelectorAll("a").map((link) => link.getAttribute("href") ?? "");
    const form = await agent.open(forgot.find((href) => href.startsWith("/forgot-password?")) ?? "");
    await agent.submit(form, { fields: { Email: email }, button: "Send reset link" });
    const done = await agent.submit(await agent.open(await linkFor(email)), { fields: { "New password": NEW }, button: "Set password" });
    const next = await agent.submit(done, { fields: { Password: NEW }, button: "Sign in" });
    expect(next.text).toContain("Allow");
  });

  const FORWARDED = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "444",
    forwarded: "host=evil.example",
  };
  test.each([
    ["Host", { host: "evil.example" }],
    ["Host with a port", { host: "evil.example:444" }],
    ["X-Forwarded-Host", FORWARDED],
    ["both", { host: "evil.example", ...FORWARDED }],
  ])("N45 FP-06 the mailed link has the issuer with a hostile %s, and the answer does not name the host", async (name, headers) => {
    const email = `host-${name.replaceAll(" ", "-").toLowerCase()}@passwords.example`;
    await newUser(email);
    const agent = newAgent(issuer);
    const answer = await agent.post(await agent.open("/forgot-password"), { fields: { Email: email }, button: "Send reset link", headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    expect(answer.text).not.toContain("evil.example");
    expect((await mailbox.next(email, "reset_link")).link).toMatch(new RegExp(`^${issuer}/reset-password\\?token=`));
  });

  test("N47 a used link shows a page and changes nothing", async () => {
    const email = "twice@passwords.example";
    await newUser(email);
    await ask(email);
    const link = await linkFor(email);
    const [one, two] = [newAgent(issuer), newAgent(issuer)];
    const forms = [await one.open(link), await two.open(link)] as const;
    await one.submit(forms[0], { fields: { "New password": NEW }, button: "Set password" });
    const second = await two.submit(forms[1], { fields: { "New password": `${NEW} again` }, button: "Set password" });
    expect([second.status, second.text]).toEqual([400, expect.stringContaining("This link no longer works")]);
    expect(await isSignedIn(await enter(email, `${NEW} again`))).toBe(false);
  });

  test("N49 a reset ends sessions and refresh tokens", async () => {
    const email = "ended@passwords.example";
    await newUser(email);
    const agent = await enter(email);
    const tokens = await obtainTokens(agent, CLIENTS.web, { scope: "api:read offline_access" });
    await ask(email);
    const other = newAgent(issuer);
    await other.submit(await other.open(await linkFor(email)), { fields: { "New password": NEW }, button: "Set password" });
    expect(await isSignedIn(agent)).toBe(false);
    expect((await callApi(issuer, tokens.access)).status).toBe(401);
    expect(refusal(await refresh(issuer, CLIENTS.web, tokens.refresh ?? ""))).toEqual([400, "invalid_grant"]);
    await mailbox.next(email, "password_reset");
  });

  test("N48 N49 FP-04 a reset of an account with an authenticator app: sign-in still asks, a remembered browser too", async () => {
    const email = "factor@passwords.example";
    await newUser(email);
    const app = await enrolTotp(await enter(email));
    const remembered = newAgent(issuer);
    const fields = { Email: email, Password: PASSWORD };
    const step = await remembered.submit(await remembered.open("/sign-in"), { fields, button: "Sign in" });
    expect([new URL(step.url).pathname, await isSignedIn(remembered)]).toEqual(["/sign-in/second-step", false]);
    await remembered.submit(step, { fields: { Code: app.nextCode() }, button: "Continue", override: { remember: "1" } });
    expect(await isSignedIn(remembered)).toBe(true);
    expect(await isSignedIn(await enter(email, PASSWORD, remembered))).toBe(true); // skips the step until the reset

    await ask(email);
    const other = newAgent(issuer);
    await other.submit(await other.open(await linkFor(email)), { fields: { "New password": NEW }, button: "Set password" });
    expect(await isSignedIn(remembered)).toBe(false);
    for (const browser of [other, remembered, newAgent(issuer)]) {
      const asked = await browser.submit(await browser.open("/sign-in"), { fields: { Email: email, Password: NEW }, button: "Sign in" });
      expect([new URL(asked.url).pathname, await isSignedIn(browser)]).toEqual(["/sign-in/second-step", false]);
    }
    const asked = await other.submit(await other.open("/sign-in"), { fields: { Email: email, Password: NEW }, button: "Sign in" });
    const toRecovery = asked.document.querySelectorAll("a").find(({ text }) => text === "Use a recovery code");
    const recovery = await other.open(toRecovery?.getAttribute("href") ?? "");
    await other.submit(recovery, { fields: { Code: app.recovery[0] ?? "" }, button: "Continue" });
    expect(await isSignedIn(other)).toBe(true); // the factor is as it was
  });

  test("N75 PW-01 PW-02 PW-03 what a new password may be", async () => {
    const email = "chooses.well@passwords.example";
    await newUser(email);
    const agent = await enter(email);
    const change = async (from: string, to: string) => {
      const fields = { "Current password": from, "New password": to };
      const { status } = await agent.post(await agent.open("/account/password"), { fields, button: "Change password" });
      return status;
    };
    const refused = [
      `${"x7".repeat(128)}z`, // 257 characters
      "fourteen chars".slice(0, 14),
      "passwordpassword",
      email,
      email.toUpperCase(),
      "abcabcabcabcabcabc",
      "abcdefghijklmnopq",
    ];
    for (const password of refused) expect([password, await change(PASSWORD, password)]).toEqual([password, 400]);
    expect(await isSignedIn(await enter(email))).toBe(true);

    const accepted = ["fifteen letters", `${"tulip 7".repeat(36)}abcd`, "cr\u00e8me br\u00fbl\u00e9e \u{1f36e} twice"];
    for (const [at, password] of accepted.entries())
      expect([password, await change(accepted[at - 1] ?? PASSWORD, password)]).toEqual([password, 303]);
    const [, , composed = ""] = accepted;
    expect(composed.normalize("NFD")).not.toBe(composed);
    expect(await isSignedIn(await enter(email, composed.normalize("NFD")))).toBe(true);
  });

  test("PW-08 changing the password keeps this session under a new secret and ends the others", async () => {
    const email = "changes@passwords.example";
    await newUser(email);
    const [here, there] = [await enter(email), await enter(email)];
    const session = [...here.cookies].find(([name]) => name.endsWith("gatehouse_session"))?.[1];
    const form = await here.open("/account/password");
    const refused = await here.submit(form, {
      fields: { "Current password": "not this one", "New password": NEW },
      button: "Change password",
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("current password is incorrect")]);
    const same = await here.submit(form, { fields: { "Current password": PASSWORD, "New password": PASSWORD }, button: "Change password" });
    expect(same.text).toContain("This is your current password");
    const done = await here.submit(form, { fields: { "Current password": PASSWORD, "New password": NEW }, button: "Change password" });
    expect(done.url).toMatch(/\/account\/security/);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect([...here.cookies].find(([name]) => name.endsWith("gatehouse_session"))?.[1]).not.toBe(session);
    await mailbox.next(email, "password_changed");
  });
});
