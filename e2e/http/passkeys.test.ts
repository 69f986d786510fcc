import { type Behaviour, newAuthenticator } from "@gatehouse/accounts/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { authorizePath, callback, signIn } from "../harness/flow.ts";
import { SQLITE, sharedGatehouse } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { type Authenticator, addPasskey, ceremonyOf, enrol, passkeySignIn } from "../harness/passkeys.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
const problemOf = (page: Page) => page.document.querySelector('[role="alert"]')?.text.trim();
const REFUSED = "That passkey didn't work. Try again, or sign in another way.";

describe.each(SQLITE)("passkeys on %s", (engine) => {
  let issuer: string;
  beforeAll(async () => {
    ({ issuer } = await sharedGatehouse(engine));
  });

  const enrolled = (name: string, defaults: Behaviour = {}) => enrol(issuer, `passkey-${name}`, defaults);

  async function expectRefused(authenticator: Authenticator, change: Behaviour): Promise<void> {
    const agent = newAgent(issuer);
    const page = await passkeySignIn(agent, authenticator, change);
    expect([page.status, problemOf(page)]).toEqual([400, REFUSED]);
    expect(await isSignedIn(agent)).toBe(false);
  }

  async function expectAccepted(authenticator: Authenticator, change: Behaviour = {}): Promise<Agent> {
    const agent = newAgent(issuer);
    const page = await passkeySignIn(agent, authenticator, change);
    expect([page.status, page.headers.get("location")]).toEqual([303, "/account"]);
    expect(await isSignedIn(agent)).toBe(true);
    return agent;
  }

  test("WA-03 asks for a discoverable passkey that verifies its user, without attestation", async () => {
    const agent = await signIn(issuer, "passkey-one");
    const { options } = ceremonyOf(await agent.open("/account/security/passkeys"), "create");
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { name: emailOf("passkey-one") },
      attestation: "none",
      timeout: 300_000,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
      excludeCredentials: [],
    });
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(64);
  });

  test("WA-03 WA-04 WA-07 D15 signs in without a name, as both factors, and goes on with the pending request", async () => {
    const { agent: owner, authenticator } = await enrolled("one");
    const again = ceremonyOf(await owner.open("/account/security/passkeys"), "create").options;
    expect(again.excludeCredentials).toMatchObject([{ id: authenticator.credentialId }]);

    const agent = newAgent(issuer);
    const page = await agent.open(authorizePath(CLIENTS.firstParty));
    const { options, button } = ceremonyOf(page, "get");
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required", allowCredentials: [] });
    const done = await agent.submit(page, { button, override: { credential: authenticator.get(options) } });
    expect(callback(done).params.get("code")).not.toBeNull();
  });

  describe("N58 WA-06 a forged or borrowed assertion is refused, without a session", () => {
    let authenticator: Authenticator;
    let otherHandle: string;
    beforeAll(async () => {
      authenticator = (await enrolled("forged")).authenticator;
      const { agent } = await enrolled("other");
      otherHandle = ceremonyOf(await agent.open("/account/security/passkeys"), "create").options.user.id;
    });

    test.each<[string, Behaviour]>([
      ["another origin", { origin: "https://evil.test" }],
      ["the origin with another port", { origin: "http://localhost:1" }],
      ["another RP ID", { rpId: "evil.test" }],
      ["a challenge of its own", { challenge: Buffer.from("0".repeat(32)).toString("base64url") }],
      ["the type of a registration", { type: "webauthn.create" }],
      ["no user verification", { uv: false }],
      ["no user presence", { up: false }],
      ["a frame on another site", { crossOrigin: true }],
      ["a frame on another site, with its name", { crossOrigin: true, topOrigin: "https://evil.test" }],
      ["a signature by another key", { forged: true }],
      ["no user handle", { userHandle: null }],
      ["a foreign user handle", { userHandle: "Zm9yZWlnbg" }],
      ["backup eligibility that changed", { be: true, bs: true }],
      ["an unknown passkey", { credentialId: Buffer.from("unknown").toString("base64url") }],
    ])("%s", async (_, change) => {
      await expectRefused(authenticator, change);
    });

    test("another user's handle", async () => {
      await expectRefused(authenticator, { userHandle: otherHandle });
    });

    test.each(["", "{}", "null", "[]", "x", '{"id":1}'])("a credential field with %j", async (credential) => {
      const agent = newAgent(issuer);
      const page = await agent.open("/sign-in");
      const answer = await agent.post(page, { button: ceremonyOf(page, "get").button, override: { credential } });
      expect(answer.status).toBe(400);
      expect(await isSignedIn(agent)).toBe(false);
    });

    test("the genuine one counts, so that the others were refused for their fault alone", async () => {
      await expectAccepted(authenticator);
    });

    test("WA-05 a challenge counts once, even in parallel", async () => {
      const agent = newAgent(issuer);
      const page = await agent.open("/sign-in");
      const { options, button } = ceremonyOf(page, "get");
      const post = () => agent.post(page, { button, override: { credential: authenticator.get(options) } });
      const answers = await Promise.all(Array.from({ length: 10 }, post));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect((await post()).status).toBe(400);
    });

    test("WA-05 a challenge is spent by a refused assertion too", async () => {
      const agent = newAgent(issuer);
      const page = await agent.open("/sign-in");
      const { options, button } = ceremonyOf(page, "get");
      const statuses: number[] = [];
      for (const change of [{ uv: false }, {}]) {
        statuses.push(
          (await agent.post(page, { button, override: { credential: authenticator.get(options, change) } })).status,
        );
      }
      expect(statuses).toEqual([400, 400]);
    });

    test("WA-05 a challenge counts in the browser that asked for it alone", async () => {
      const asked = ceremonyOf(await newAgent(issuer).open("/sign-in"), "get");
      const agent = newAgent(issuer);
      const page = await agent.open("/sign-in");
      const override = { challenge: asked.challenge, credential: authenticator.get(asked.options) };
      expect((await agent.post(page, { button: asked.button, override })).status).toBe(400);
      expect(await isSignedIn(agent)).toBe(false);
    });

    test("WA-05 a challenge of another form does not count", async () => {
      const { agent, authenticator: own } = await enrolled("borrowed");
      const asked = ceremonyOf(await agent.open("/account/security/passkeys"), "create");
      const page = await agent.open("/sign-in");
      const credential = own.get({ challenge: asked.options.challenge, rpId: "localhost" });
      const answer = await agent.post(page, {
        button: ceremonyOf(page, "get").button,
        override: { challenge: asked.challenge, credential },
      });
      expect([answer.status, problemOf(answer)]).toEqual([400, REFUSED]);
    });

    test("an altered challenge does not count", async () => {
      const agent = newAgent(issuer);
      const page = await agent.open("/sign-in");
      const { options, button, challenge } = ceremonyOf(page, "get");
      const altered = challenge.replace(/^./, (first) => (first === "A" ? "B" : "A"));
      const answer = await agent.post(page, {
        button,
        override: { challenge: altered, credential: authenticator.get(options) },
      });
      expect(answer.status).toBe(400);
    });
  });

  describe("WA-03 WA-06 a new passkey", () => {
    test.each<[string, Behaviour]>([
      ["of another origin", { origin: "https://evil.test" }],
      ["of another RP ID", { rpId: "evil.test" }],
      ["without user verification", { uv: false }],
      ["without user presence", { up: false }],
      ["made in a frame of another site", { crossOrigin: true }],
      ["for another challenge", { challenge: "AAAA" }],
      ["that is an assertion", { type: "webauthn.get" }],
      ["with an algorithm that was not asked for", { algorithm: -35 }],
    ])("%s is refused", async (_, change) => {
      const agent = await signIn(issuer, "passkey-unverified");
      const answer = await addPasskey(agent, newAuthenticator(issuer), change);
      expect(answer.status).toBe(400);
      expect(ceremonyOf(await agent.open("/account/security/passkeys"), "create").options.excludeCredentials).toEqual(
        [],
      );
    });

    test("is stored whatever its attestation says, since none was asked for", async () => {
      const { agent, authenticator } = await enrolled("unverified", { attestation: "packed" });
      const { excludeCredentials } = ceremonyOf(await agent.open("/account/security/passkeys"), "create").options;
      expect(excludeCredentials).toMatchObject([{ id: authenticator.credentialId }]);
      await expectAccepted(authenticator);
    });

    test("cannot be registered by two users", async () => {
      const { authenticator } = await enrolled("named");
      const { credentialId } = authenticator;
      const other = await signIn(issuer, "passkey-none");
      expect((await addPasskey(other, newAuthenticator(issuer), { credentialId })).status).toBe(400);
    });

    test("WA-05 needs the session that asked for it", async () => {
      const [one, other] = [await signIn(issuer, "passkey-none"), await signIn(issuer, "passkey-none")];
      const asked = ceremonyOf(await one.open("/account/security/passkeys"), "create");
      const page = await other.open("/account/security/passkeys");
      const override = { challenge: asked.challenge, credential: newAuthenticator(issuer).create(asked.options) };
      expect((await other.post(page, { button: asked.button, override })).status).toBe(400);
    });
  });

  test("WA-09 an account has at most 20", async () => {
    const agent = await signIn(issuer, "passkey-many");
    for (let made = 0; made < 20; made++) expect((await addPasskey(agent, newAuthenticator(issuer))).status).toBe(303);
    const page = await agent.open("/account/security");
    expect(page.document.querySelectorAll("form[data-passkey=create]")).toHaveLength(0);
    expect(page.text).toContain("You have 20 passkeys");
  });

  test("WA-09 is named after its provider, can be renamed and shows when it was made, used and synced", async () => {
    const bitwarden = { aaguid: "d548826e-79b4-db40-a3d8-11116f7e8349", be: true, bs: true };
    const { agent, authenticator } = await enrolled("script", bitwarden);
    expect((await agent.open("/account/security")).text).toContain("Bitwarden");
    await expectAccepted(authenticator);
    const page = await agent.open("/account/security");
    expect(page.text).toContain("Synced");
    expect(page.text).toMatch(/last used/);

    await agent.submit(page, { fields: {}, button: "Save name", override: { name: "  Work <b>laptop</b> " } });
    const renamed = await agent.open("/account/security");
    expect(renamed.text).toContain("Work &lt;b>laptop&lt;/b>");
    const tooLong = await agent.post(renamed, { button: "Save name", override: { name: "x".repeat(61) } });
    expect(tooLong.status).toBe(400);
    const foreign = await (await signIn(issuer, "passkey-one")).open("/account/security");
    // With the CSRF token of another session.
    expect((await agent.post(foreign, { button: "Save name", override: { name: "mine" } })).status).toBe(403);
  });

  describe("WA-12 N61 the last way in", () => {
    test("a passkey beside a password can be removed, and does not sign in any more", async () => {
      const { agent, authenticator } = await enrolled("removed");
      const elsewhere = await expectAccepted(authenticator);
      const page = await agent.submit(await agent.open("/account/security"), { button: "Remove" });
      expect(page.text).toContain("Passkey removed.");
      expect(await isSignedIn(agent)).toBe(true);
      expect(await isSignedIn(elsewhere)).toBe(false); // WE-01
    });
  });

  test("N59 WA-10 a removed passkey is refused, and the browser may forget it; that of a disabled user is only refused", async () => {
    const { agent, authenticator } = await enrolled("parallel");
    await agent.submit(await agent.open("/account/security"), { button: "Remove" });
    const removed = await passkeySignIn(newAgent(issuer), authenticator);
    expect(removed.status).toBe(400);
    expect(removed.text).toContain("unknownCredential");
    expect(removed.text).toContain(authenticator.credentialId);

    const gone = (await enrolled("disabled")).authenticator;
    const admin = await consoleToken(issuer, "admin");
    const found = dataOf<{ items: { id: string }[] }>(
      await query(issuer, "users.list", { query: emailOf("passkey-disabled") }, admin),
    );
    await mutate(issuer, "users.setDisabled", { id: found.items[0]?.id, disabled: true }, admin);
    const disabled = await passkeySignIn(newAgent(issuer), gone);
    expect([disabled.status, problemOf(disabled)]).toEqual([400, REFUSED]);
    expect(disabled.text).not.toContain("unknownCredential");
  });

  test("N60 WA-08 a lower counter is refused for a passkey on one device, and accepted for a synced one", async () => {
    const single = (await enrolled("counter", { counter: 7 })).authenticator;
    await expectAccepted(single);
    await expectRefused(single, { counter: 8 }); // used already
    await expectRefused(single, { counter: 3 });
    await expectAccepted(single, { counter: 30 });

    const synced = (await enrolled("synced", { counter: 7, be: true, bs: true })).authenticator;
    await expectAccepted(synced, { counter: 20 });
    await expectAccepted(synced, { counter: 3 });
  });

  test("WA-11 posted empty, as without scripts: 400 that names the other ways", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in");
    const answer = await agent.post(page, { button: ceremonyOf(page, "get").button });
    expect(answer.status).toBe(400);
    expect(problemOf(answer)).toContain("Sign in with your email and password");
    const added = await (await signIn(issuer, "passkey-none")).open("/account/security/passkeys");
    expect(added.status).toBe(200);
  });

  test("N80 WA-11 only pages with a ceremony, a password or new recovery codes may run a script, and only ours", async () => {
    const agent = await signIn(issuer, "passkey-none");
    const policyOf = async (path: string) => (await agent.open(path)).headers.get("content-security-policy") ?? "";
    for (const path of [
      "/sign-in",
      "/sign-up",
      "/account/password",
      "/account/security",
      "/account/security/passkeys",
    ]) {
      expect(await policyOf(path)).toContain("script-src 'self';");
      const { document } = await agent.open(path);
      expect(document.querySelectorAll("script").map((one) => one.getAttribute("src"))).toEqual(["/assets/pages.js"]);
      expect(document.toString()).not.toMatch(/\son[a-z]+="|javascript:/i);
    }
    for (const path of ["/", "/account", "/device"]) expect(await policyOf(path)).toContain("script-src 'none'");
  });

  test("WA-02 no related origins are published unless the operator names them", async () => {
    const answer = await newAgent(issuer).request("/.well-known/webauthn");
    expect(answer.status).toBe(404);
  });

  describe("RG-08 an invitation that is accepted with a passkey", () => {
    let count = 0;
    async function invite(): Promise<{ agent: Agent; email: string }> {
      const email = `invited-${engine}-${++count}@people.example`;
      dataOf(
        await mutate(issuer, "invitations.create", { email, role: "viewer" }, await consoleToken(issuer, "admin")),
      );
      const { link } = await (await openMailbox(issuer)).next(email, "invitation");
      const agent = newAgent(issuer);
      const { pathname, search } = new URL(link ?? "");
      await agent.open(pathname + search);
      return { agent, email };
    }

    async function accept(
      agent: Agent,
      authenticator: Authenticator,
      change: Behaviour = {},
      name = "Grace",
    ): Promise<Page> {
      const page = await agent.open("/invitation");
      const { options, button } = ceremonyOf(page, "create");
      return agent.post(page, { button, override: { name, credential: authenticator.create(options, change) } });
    }
    const meOf = async (agent: Agent) => json(await agent.request("/api/protected/me"))["user"];

    test("makes an account with the role of the invitation, and the passkey signs in", async () => {
      const { agent, email } = await invite();
      const authenticator = newAuthenticator(issuer);
      const page = await accept(agent, authenticator);
      expect([page.status, page.headers.get("location")]).toEqual([303, "/account"]);
      expect(await meOf(agent)).toMatchObject({ email, role: "viewer", name: "Grace" });
      expect((await agent.request("/invitation")).status).toBe(400); // the link is spent
      await expectAccepted(authenticator);
    });

    test.each<[string, Behaviour]>([
      ["does not verify its user", { uv: false }],
      ["is for another origin", { origin: "https://evil.example" }],
      ["answers another challenge", { challenge: "b3RoZXI" }],
    ])("one that %s makes no account, and the invitation counts on", async (_, change) => {
      const { agent, email } = await invite();
      expect((await accept(agent, newAuthenticator(issuer), change)).status).toBe(400);
      expect(await isSignedIn(agent)).toBe(false);
      expect((await accept(agent, newAuthenticator(issuer))).status).toBe(303);
      expect(await meOf(agent)).toMatchObject({ email });
    });

    test("WA-05 a challenge of another invitation, or of one's own account, does not count", async () => {
      const [one, other] = [await invite(), await invite()];
      const { agent: member } = await enrolled("one-more");
      const pages = [await other.agent.open("/invitation"), await member.open("/account/security/passkeys")];
      for (const page of pages) {
        const { options, challenge } = ceremonyOf(page, "create");
        const form = await one.agent.open("/invitation");
        const { button } = ceremonyOf(form, "create");
        const override = { name: "Grace", challenge, credential: newAuthenticator(issuer).create(options) };
        expect((await one.agent.post(form, { button, override })).status).toBe(400);
      }
      expect(await isSignedIn(one.agent)).toBe(false);
    });

    test("a passkey of another account makes no account", async () => {
      const { authenticator } = await enrolled("one-else");
      const { agent } = await invite();
      const page = await accept(agent, authenticator);
      expect([page.status, problemOf(page)]).toEqual([400, expect.stringContaining("already has a passkey")]);
      expect(await isSignedIn(agent)).toBe(false);
    });
  });
});
