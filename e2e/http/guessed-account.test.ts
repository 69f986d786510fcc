import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback, signIn } from "../harness/flow.ts";
import { type Gatehouse, SQLITE, startGatehouse } from "../harness/gatehouse.ts";
import { failInARow } from "../harness/guessing.ts";
import { openMailbox } from "../harness/mailbox.ts";

const BUTTON = "Send a code";

describe.each(SQLITE)("an account whose password is guessed, AB-03, on %s", (engine) => {
  let own: Gatehouse;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture() });
    mailbox = await openMailbox(own.issuer);
  });
  afterAll(() => own?.stop());

  async function type(agent: Agent, email: string, password: string, from = "/sign-in"): Promise<Page> {
    return agent.post(await agent.open(from), { fields: { Email: email, Password: password }, button: "Sign in" });
  }
  const hasSession = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const leadsToCode = ({ status, headers }: Page) =>
    status === 303 && (headers.get("location") ?? "").startsWith("/sign-in/new-browser?");

  test("AB-03 an unknown browser enters a mailed code first, and comes back to the client; the success ends it for all browsers", async () => {
    const email = emailOf("email-sign-in");
    const known = await signIn(own.issuer, "email-sign-in");
    await failInARow(email, own.env);

    const agent = newAgent(own.issuer);
    const refused = await type(agent, email, PASSWORD, authorizePath(CLIENTS.web));
    expect([leadsToCode(refused), await hasSession(agent)]).toEqual([true, false]);
    const asked = await agent.submit(await agent.follow(refused), { button: BUTTON });
    const { code } = await mailbox.next(email, "new_browser_code");

    // A stranger's code neither voids this one nor works elsewhere.
    const stranger = newAgent(own.issuer);
    const strangers = await stranger.submit(await stranger.follow(await type(stranger, email, "a wrong password")), {
      button: BUTTON,
    });
    const elsewhere = await stranger.submit(strangers, { fields: { Code: code ?? "" }, button: "Continue" });
    expect([elsewhere.status, leadsToCode(await type(stranger, email, PASSWORD))]).toEqual([400, true]);

    expect((await agent.submit(asked, { fields: { Code: "1" }, button: "Continue" })).status).toBe(400);
    const confirmed = await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Continue" });
    expect(confirmed.text).toContain("This browser is confirmed. Enter your password.");
    expect(await hasSession(agent)).toBe(false);
    const consent = await agent.submit(confirmed, { fields: { Email: email, Password: PASSWORD }, button: "Sign in" });
    expect(callback(await agent.post(consent, { button: "Allow" })).params.has("code")).toBe(true);

    const later = newAgent(own.issuer);
    await type(later, email, PASSWORD);
    expect([await hasSession(later), await hasSession(known)]).toEqual([true, true]);
  });

  test("AB-03 a known browser needs no code, and its success is one", async () => {
    const email = emailOf("account");
    const known = await signIn(own.issuer, "account");
    await failInARow(email, own.env);
    expect(leadsToCode(await type(newAgent(own.issuer), email, PASSWORD))).toBe(true);
    expect((await type(known, email, PASSWORD)).headers.get("location")).toBe("/account");
    expect(leadsToCode(await type(newAgent(own.issuer), email, PASSWORD))).toBe(false);
  });

  test("AB-03 an account that nobody has gets the same answers, and no mail; twelve requests send at most five", async () => {
    const [real, invented] = [emailOf("lifetimes"), "invented@example.com"];
    const answers = new Map<string, string[]>();
    for (const email of [real, invented]) {
      await failInARow(email, own.env);
      const agent = newAgent(own.issuer);
      const pages = [await type(agent, email, "a wrong password")];
      pages.push(await agent.follow(pages[0] as Page));
      for (let times = 0; times < 12; times++) pages.push(await agent.submit(pages[1] as Page, { button: BUTTON }));
      pages.push(await agent.submit(pages.at(-1) as Page, { fields: { Code: "12345678" }, button: "Continue" }));
      const neutral = (text: string) =>
        text
          .replaceAll(email, "…")
          .replaceAll(encodeURIComponent(email), "…")
          .replaceAll(/value="[^"]*"/g, "");
      answers.set(
        email,
        pages.map(
          ({ status, headers, text }) => `${status} ${neutral(headers.get("location") ?? "")} ${neutral(text)}`,
        ),
      );
    }
    expect(answers.get(invented)).toEqual(answers.get(real));
    await mailbox.next(real, "new_browser_code");
    expect((await mailbox.to(real)).length).toBeLessThanOrEqual(5); // a code that a newer one voided is not sent
    expect(await mailbox.to(invented)).toEqual([]);
  });

  test("AB-03 nobody has a code mailed to an account whose passwords are judged", async () => {
    const agent = newAgent(own.issuer);
    const away = await agent.open(`/sign-in/new-browser?${new URLSearchParams({ email: emailOf("rules") })}`);
    expect(new URL(away.url).pathname).toBe("/sign-in");
  });
});
