import { newAuthenticator } from "@gatehouse/accounts/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, type Fill, newAgent } from "../harness/agent.ts";
import { type Clock, openClock } from "../harness/clock.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorizePath } from "../harness/flow.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { addPasskey, ceremonyOf } from "../harness/passkeys.ts";
import { enrolTotp } from "../harness/second-factor.ts";

const issuer = inject("issuer");
const PASSWORD = "a long enough password";
const NEW = "a new and better password";
const ELEVEN_MINUTES = 11 * 60;

/** Each sensitive form: its page, and how it is filled in. `prepare` makes what it acts on. */
type Sensitive = {
  path: string;
  fill: Fill;
  prepare?: (agent: Agent) => Promise<unknown>;
  /** The page has a link to the confirmation in place of the form. */
  links?: true;
};
const FORMS: Record<string, Sensitive> = {
  password: {
    path: "/account/password",
    fill: { fields: { "Current password": PASSWORD, "New password": NEW }, button: "Change password" },
  },
  email: { path: "/account/email", fill: { fields: { "New email": "moved@recent.example" }, button: "Change email" } },
  "a new passkey": { path: "/account/security/passkeys", fill: { button: "Add a passkey" } },
  "a passkey's removal": {
    path: "/account/security",
    fill: { button: "Remove" },
    prepare: (agent) => addPasskey(agent, newAuthenticator(issuer)),
  },
  "an authenticator app": {
    path: "/account/security/authenticator",
    fill: { fields: { Code: "123456" }, button: "Continue" },
  },
  "an authenticator app that a client asks for": {
    path: authorizePath(CLIENTS.web, { acr_values: "urn:gatehouse:acr:mfa" }),
    fill: { fields: { Code: "123456" }, button: "Continue" },
    links: true,
  },
  "new recovery codes": { path: "/account/security", fill: { button: "New recovery codes" }, prepare: enrolTotp },
  export: { path: "/account/export", fill: { button: "Download my data" } },
  deletion: { path: "/account/delete", fill: { button: "Delete my account" } },
  "all other sessions": { path: "/account/sessions", fill: { button: "Sign out everywhere else" } },
};

describe("N51 SN-03 in a session that is 11 minutes old", () => {
  let clock: Clock;
  beforeAll(async () => {
    clock = await openClock(inject("env"));
  });
  afterAll(() => clock?.close());

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  async function enter(email: string): Promise<Agent> {
    const agent = newAgent(issuer);
    await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: email, Password: PASSWORD },
      button: "Sign in",
    });
    return agent;
  }
  /** What the account has, as its user sees it in another browser. */
  async function contentsOf(agent: Agent): Promise<string[]> {
    const pages = await Promise.all(
      ["/account", "/account/security", "/account/activity"].map((path) => agent.open(path)),
    );
    return pages.map(
      ({ document }) => document.querySelector("main")?.structuredText.replaceAll(/now|\d+ \w+ ago/g, "") ?? "",
    );
  }

  test.each(Object.keys(FORMS))("the form for %s leads to the confirmation, and does nothing", async (name) => {
    const { path, fill, prepare, links } = FORMS[name] as Sensitive;
    const email = `${name.replaceAll(/\W/g, "-")}@recent.example`;
    const agent = newAgent(issuer);
    const fields = { Name: "Ada", Email: email, Password: PASSWORD };
    await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
    const witness = await enter(email);
    await prepare?.(agent);
    const form = await agent.open(path);
    const credential =
      name === "a new passkey" ? newAuthenticator(issuer).create(ceremonyOf(form, "create").options) : undefined;
    await clock.ageSessions(email, ELEVEN_MINUTES);
    const before = await contentsOf(agent);

    const posted = await agent.post(form, { ...fill, override: credential === undefined ? {} : { credential } });
    const to = new URL(posted.headers.get("location") ?? "", issuer);
    expect([posted.status, to.pathname, to.origin]).toEqual([303, "/sign-in/confirm", issuer]);
    expect(posted.text).not.toContain(email);
    expect(await contentsOf(agent)).toEqual(before);
    expect([await isSignedIn(agent), await isSignedIn(witness)]).toEqual([true, true]);
    expect(await (await openMailbox(issuer)).to("moved@recent.example")).toEqual([]);

    const page = await agent.open(path);
    if (links) {
      const targets = page.document.querySelectorAll("a").map((one) => one.getAttribute("href") ?? "");
      expect(targets).toContainEqual(expect.stringMatching(/^\/sign-in\/confirm\?/));
      return;
    }
    const asksOnItsPage = !["/account/security", "/account/sessions"].includes(path);
    expect(new URL(page.url).pathname).toBe(asksOnItsPage ? "/sign-in/confirm" : path);
  });
});
