import { newAuthenticator } from "@gatehouse/accounts/testing";
import { parse } from "node-html-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page, readable } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, obtainTokens } from "../harness/flow.ts";
import { type Gatehouse, POSTGRES, SQLITE, startGatehouse, startWeb } from "../harness/gatehouse.ts";
import { addPasskey } from "../harness/passkeys.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { enrolTotp, finishSetup } from "../harness/second-factor.ts";
import { query } from "../harness/trpc.ts";

const HTTPS = "https://gate.example";
const BEHIND_TLS = {
  GATEHOUSE_ISSUER: HTTPS,
  GATEHOUSE_ADMIN_URL: "https://console.example",
  HOST: "127.0.0.1",
  GATEHOUSE_EMAIL_SIGN_IN: "off",
};
const SECOND_STEP = /\/sign-in\/second-step/;
const CONSOLE = { scope: "console:read" };
const NAMES = ["removes", "keeps", "tries", "weak"];

/** One user of the role for each test, so that they can change their accounts. */
const people = (role: "admin" | "user") =>
  NAMES.map((name) => ({ email: emailOf(name), password: PASSWORD, name, role }));

const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
const enter = async (agent: Agent, name: string, path = "/sign-in"): Promise<Page> =>
  agent.submit(await agent.open(path), { fields: { Email: emailOf(name), Password: PASSWORD }, button: "Sign in" });
/** Presses "Remove" in the form of /account/security that posts to `action`. */
async function remove(agent: Agent, action: "authenticator" | "passkeys"): Promise<Page> {
  const page = await agent.open("/account/security");
  const forms = page.document.querySelectorAll(`form[action="/account/security/${action}"]`);
  const form = forms.find((one) => one.querySelector("button")?.text.trim() === "Remove");
  if (!form) throw new Error(`no button for ${action}`);
  return agent.post({ ...page, document: parse(form.toString()) }, { button: "Remove" });
}
const KEEP_ONE = "Set up another one before you remove this one";

const admins = SQLITE.map(
  (engine) => ["admins, by default with an https issuer", engine, "admin", HTTPS, BEHIND_TLS] as const,
);
const everybody = POSTGRES.map(
  (engine) => ["everybody, by GATEHOUSE_MFA", engine, "user", undefined, { GATEHOUSE_MFA: "required" }] as const,
);

describe.each([...admins, ...everybody])(
  "where a second factor is demanded of %s, on %s",
  (_, engine, role, issuer, settings) => {
    let own: Gatehouse;
    beforeAll(async () => {
      own = await startGatehouse({ engine, fixture: fixture(), more: { users: people(role) }, settings });
    });
    afterAll(() => own?.stop());
    const browser = () => newAgent(own.issuer, issuer);

    /** A signed-in user with a new authenticator app. */
    async function enrolled(name: string) {
      const agent = browser();
      const { app } = await finishSetup(agent, await enter(agent, name));
      expect(await isSignedIn(agent)).toBe(true);
      return { agent, app };
    }

    test("MF-09 a user without one sets it up inside the sign-in, and no route leads around it", async () => {
      const agent = browser();
      const asked = await enter(agent, "tries", authorizePath(CLIENTS.firstParty, CONSOLE));
      expect(asked.url).toMatch(SECOND_STEP);
      expect(readable(asked)).toContain("Your account needs a second step");
      expect(readable(asked)).not.toContain("Not now");

      for (const action of ["not_now", "continue", "remove"]) {
        const answer = await agent.post(asked, {
          button: "Continue",
          override: { action, setup: undefined, code: undefined },
        });
        expect([action, answer.status]).toEqual([action, 400]);
      }
      for (const path of [
        "/account",
        "/account/security",
        "/sign-in/confirm",
        "/consent",
        authorizePath(CLIENTS.firstParty, CONSOLE),
      ]) {
        const page = await agent.request(path);
        expect([path, page.status < 400 ? page.headers.get("location") : "/sign-in"]).toEqual([
          path,
          expect.stringMatching(/\/sign-in/),
        ]);
      }
      expect((await agent.request("/trpc/applications.list?input=%7B%7D")).status).toBe(401);
      expect((await agent.request("/sign-in/second-step?raise=1")).headers.get("location")).toMatch(/^\/sign-in/);
      expect(await isSignedIn(agent)).toBe(false);

      const { done } = await finishSetup(agent, await agent.open("/sign-in/second-step"));
      expect(readable(done)).toContain("Your recovery codes");
      expect(await isSignedIn(agent)).toBe(true);
    });

    test("N61 MF-09 the last factor stays: 409 for the app, and for a passkey; one of two can go", async () => {
      const { agent } = await enrolled("removes");
      const app = await remove(agent, "authenticator");
      expect([app.status, readable(app)]).toEqual([409, expect.stringContaining(KEEP_ONE)]);

      expect((await addPasskey(agent, newAuthenticator(issuer ?? own.issuer))).status).toBe(303);
      expect((await remove(agent, "authenticator")).headers.get("location")).toBe("/account/security?notice=totp_off");
      const passkey = await remove(agent, "passkeys");
      expect([passkey.status, readable(passkey)]).toEqual([409, expect.stringContaining(KEEP_ONE)]);

      await enrolTotp(agent);
      expect((await remove(agent, "passkeys")).headers.get("location")).toBe(
        "/account/security?notice=passkey_removed",
      );
      expect(await isSignedIn(agent)).toBe(true);
    });

    test("MF-08 a browser cannot be remembered", async () => {
      const { app } = await enrolled("keeps");
      const agent = browser();
      const asked = await enter(agent, "keeps");
      expect(readable(asked)).not.toContain("Remember this browser");
      await agent.submit(asked, { fields: { Code: app.nextCode() }, button: "Continue", override: { remember: "1" } });
      expect(await isSignedIn(agent)).toBe(true);
      const again = await enter(agent, "keeps");
      expect(again.url).toMatch(SECOND_STEP);
    });

    describe.runIf(role === "admin")("a console token from before", () => {
      let lax: Running;
      let laxOrigin: string;
      beforeAll(async () => {
        const port = await freePort();
        laxOrigin = `http://localhost:${port}`;
        lax = await startWeb({ ...own.env, GATEHOUSE_MFA_ROLES: "viewer" }, port);
      });
      afterAll(() => lax?.stop());

      test("N62 MF-10 a token at the level of a password: 401 that names the level; after a second step, 200", async () => {
        const before = newAgent(laxOrigin, HTTPS);
        await enter(before, "weak");
        const { access } = await obtainTokens(before, CLIENTS.firstParty, CONSOLE);
        expect((await query(laxOrigin, "applications.list", {}, access)).status).toBe(200);

        const refused = await query(own.issuer, "applications.list", {}, access);
        expect(refused.status).toBe(401);
        const challenge = refused.headers.get("www-authenticate") ?? "";
        expect(challenge).toContain('error="insufficient_user_authentication"');
        expect(challenge).toContain('acr_values="urn:gatehouse:acr:mfa"');

        const session = newAgent(own.issuer, HTTPS);
        for (const [name, value] of before.cookies) session.cookies.set(name, value);
        const headers = { "content-type": "application/json", origin: HTTPS, "sec-fetch-site": "same-origin" };
        expect((await session.request("/trpc/applications.list?input=%7B%7D", { headers })).status).toBe(401);
        const asked = await session.open(authorizePath(CLIENTS.firstParty, CONSOLE));
        expect(asked.url).toMatch(SECOND_STEP);

        await finishSetup(session, asked);
        const tokens = await obtainTokens(session, CLIENTS.firstParty, CONSOLE);
        expect((await query(own.issuer, "applications.list", {}, tokens.access)).status).toBe(200);
      });
    });
  },
);
