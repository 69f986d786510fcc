import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, fixture, PASSWORD } from "../harness/fixture.ts";
import { callApi, obtainTokens, refresh, refusal } from "../harness/flow.ts";
import { type Gatehouse, SQLITE, startGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";

const NEW = "a new and better password";
const BANNER = "Verify your email address";

describe.each(SQLITE)("the address of an account on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    issuer = own.issuer;
    mailbox = await openMailbox(issuer);
  });
  afterAll(() => own?.stop());

  async function signUp(email: string): Promise<Agent> {
    const agent = newAgent(issuer);
    const fields = { Name: "Ada", Email: email, Password: PASSWORD };
    await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
    return agent;
  }
  /** Signs up, and verifies the address with the code. */
  async function signUpVerified(email: string): Promise<Agent> {
    const agent = await signUp(email);
    const asked = await agent.submit(await agent.open("/account"), { button: BANNER });
    const { code } = await mailbox.next(email, "verify_email");
    await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Verify" });
    return agent;
  }
  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const pathOf = (link: string | null) => link?.slice(issuer.length) ?? "";

  test("RG-02 the account of an unverified address has a banner, which leads to its proof", async () => {
    const email = "banner@address.example";
    const agent = await signUp(email);
    const asked = await agent.submit(await agent.open("/account"), { button: BANNER });
    const { code } = await mailbox.next(email, "verify_email");
    const done = await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Verify" });
    expect(done.url).toBe(`${issuer}/account?notice=email_verified`);
    expect(done.text).toContain("Your email is verified.");
    expect(done.text).not.toContain(BANNER);
  });

  test("EA-02 EA-03 undoing a change of the address signs everybody out and mails a link for a new password", async () => {
    const [from, to] = ["changed@address.example", "mallory@address.example"];
    const agent = await signUpVerified(from);
    const asked = await agent.submit(await agent.open("/account/email"), {
      fields: { "New email": to },
      button: "Change email",
    });
    const { code } = await mailbox.next(to, "email_change_confirm");
    const changed = await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Verify" });
    expect(changed.url).toBe(`${issuer}/account?notice=email_changed`);
    expect(changed.text).toContain("Your email is changed.");

    const owner = newAgent(issuer);
    const undo = await owner.open(pathOf((await mailbox.next(from, "email_changed")).link));
    expect((await owner.submit(undo, { button: "Undo the change" })).text).toContain("The change is undone");
    expect((await agent.request("/account")).status).toBe(303);
    const reset = await owner.open(pathOf((await mailbox.next(from, "reset_link")).link));
    const signIn = await owner.submit(reset, { fields: { "New password": NEW }, button: "Set password" });
    const account = await owner.submit(signIn, { fields: { Email: from, Password: NEW }, button: "Sign in" });
    expect([account.url, account.text]).toEqual([`${issuer}/account`, expect.stringContaining(from)]);
  });

  test("N50 EA-02 a change that is not proved leaves the address alone, and a new password cancels it", async () => {
    const [from, to] = ["stays@address.example", "never@address.example"];
    const agent = await signUp(from);
    const asked = await agent.submit(await agent.open("/account/email"), {
      fields: { "New email": to },
      button: "Change email",
    });
    const notice = await mailbox.next(from, "email_change_notice");
    // Nothing at the old address confirms it
    expect([notice.link, notice.code]).toEqual([`${issuer}/account/security`, null]);
    const { code, link } = await mailbox.next(to, "email_change_confirm");

    const owner = newAgent(issuer);
    await owner.submit(await owner.open("/forgot-password"), { fields: { Email: from }, button: "Send reset link" });
    const reset = await owner.open(pathOf((await mailbox.next(from, "reset_link")).link));
    const signIn = await owner.submit(reset, { fields: { "New password": NEW }, button: "Set password" });
    await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Verify" });
    const account = await owner.submit(signIn, { fields: { Email: from, Password: NEW }, button: "Sign in" });
    expect((await owner.open(pathOf(link))).status).toBe(400);
    expect([account.url, (await owner.open("/account")).text]).toEqual([
      `${issuer}/account`,
      expect.stringContaining(from),
    ]);
  });

  test("EA-02 the link alone changes nothing: it takes the account's own session", async () => {
    const [from, to] = ["linked@address.example", "other@address.example"];
    const agent = await signUp(from);
    await agent.submit(await agent.open("/account/email"), { fields: { "New email": to }, button: "Change email" });
    const link = pathOf((await mailbox.next(to, "email_change_confirm")).link);
    for (const browser of [newAgent(issuer), await signUp("somebody@address.example")]) {
      const page = await browser.open(link);
      expect(page.document.querySelector("main form")).toBeNull();
      expect((await agent.open("/account")).text).toContain(from);
    }
    await agent.submit(await agent.open(link), { button: "Change email" });
    expect((await agent.open("/account")).text).toContain(to);
  });

  test("RG-10 a deletion ends sessions and tokens at once; a sign-in within the grace period offers to restore the account", async () => {
    const email = "deleted@address.example";
    const agent = await signUpVerified(email);
    const tokens = await obtainTokens(agent, CLIENTS.web, { scope: "api:read offline_access" });
    const done = await agent.submit(await agent.open("/account/delete"), { button: "Delete my account" });
    expect(done.text).toContain("Your account will be deleted");
    expect((await agent.request("/account")).status).toBe(303);
    expect((await callApi(issuer, tokens.access)).status).toBe(401);
    expect(refusal(await refresh(issuer, CLIENTS.web, tokens.refresh))).toEqual([400, "invalid_grant"]);

    const fields = { Email: email, Password: PASSWORD };
    const back = newAgent(issuer);
    const offer = await back.submit(await back.open("/sign-in"), { fields, button: "Sign in" });
    expect([offer.text, await isSignedIn(back)]).toEqual([expect.stringContaining("Restore your account?"), false]);
    await back.submit(offer, { button: "Restore" });
    expect(await isSignedIn(back)).toBe(true);
    expect(refusal(await refresh(issuer, CLIENTS.web, tokens.refresh))).toEqual([400, "invalid_grant"]);
    await mailbox.next(email, "account_restored");
  });

  test("AB-04 AB-07 every page that mails answers 429 once its caller has caused too many mails", async () => {
    const headers = { "x-forwarded-for": "203.0.113.77" };
    const agent = await signUp("mails@address.example");
    const pages: [Page, { fields?: Record<string, string>; button: string }][] = [
      [
        await agent.open("/forgot-password"),
        { fields: { Email: "nobody@address.example" }, button: "Send reset link" },
      ],
      [await agent.open("/sign-in"), { fields: { Email: "nobody@address.example" }, button: "Email me a code" }],
      [await agent.open("/account"), { button: BANNER }],
      [
        await agent.open("/account/email"),
        { fields: { "New email": "other@address.example" }, button: "Change email" },
      ],
    ];
    const [forgot] = pages;
    if (!forgot) throw new Error("no page");
    await Promise.all(Array.from({ length: 60 }, () => agent.post(forgot[0], { ...forgot[1], headers })));
    for (const [page, fill] of pages) {
      const { status, headers: answered, text } = await agent.post(page, { ...fill, headers });
      expect([fill.button, status, Number(answered.get("retry-after"))]).toEqual([
        fill.button,
        429,
        expect.any(Number),
      ]);
      expect(Number(answered.get("retry-after"))).toBeGreaterThan(0);
      expect(text).toContain("Too many attempts");
    }
  });
});
