import { newAuthenticator } from "@gatehouse/accounts/testing";
import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, type Page, readable } from "../harness/agent.ts";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { callApi, obtainTokens, refresh, refusal } from "../harness/flow.ts";
import { FULL, type Gatehouse, POSTGRES, startGatehouse } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { addPasskey, passkeySignIn } from "../harness/passkeys.ts";
import { enrolTotp } from "../harness/second-factor.ts";
import { consoleToken, mutate } from "../harness/trpc.ts";

const THEIRS = "the password of a stranger";
const OWN = "chosen by the owner of it";
const AT_UPSTREAM = "gatehouse-at-upstream";

describe.each(POSTGRES)("N41 RG-05 an account that a stranger made for somebody's address, on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let upstream: UpstreamServer;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    upstream = await startUpstreamServer(AT_UPSTREAM);
    own = await startGatehouse({ engine, fixture: fixture() });
    issuer = own.issuer;
    mailbox = await openMailbox(issuer);
    const provider = {
      id: "corp",
      name: "Corp",
      preset: "oidc",
      issuer: upstream.issuer,
      settings: { trustEmail: true },
    };
    const draft = { ...provider, clientId: AT_UPSTREAM, secret: upstream.clientSecret };
    const created = await mutate(issuer, "signInProviders.create", draft, await consoleToken(issuer, "admin"));
    expect(created.status, created.text).toBe(200);
  });
  afterAll(async () => {
    await own?.stop();
    upstream?.close();
  });

  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const pathOf = (link: string | null) => link?.slice(issuer.length) ?? "";
  async function enter(email: string, password: string): Promise<Agent> {
    const agent = newAgent(issuer);
    await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: email, Password: password },
      button: "Sign in",
    });
    return agent;
  }
  /** Answers "Continue with Corp" or "Connect Corp" with these claims. */
  async function throughCorp(agent: Agent, path: string, button: string, claims: object): Promise<Page> {
    const left = await agent.post(await agent.open(path), { button });
    const sent = new URL(left.headers.get("location") ?? "", issuer).searchParams;
    upstream.forge({ claims: { nonce: sent.get("nonce"), ...claims } });
    return agent.open(
      `/sign-in/with/corp/callback?${new URLSearchParams({ code: "c", state: sent.get("state") ?? "" })}`,
    );
  }

  /** Signs up with the victim's address, and leaves every way back in that an account can have. */
  async function occupy(email: string) {
    const agent = newAgent(issuer);
    const fields = { Name: "Mallory", Email: email, Password: THEIRS };
    await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
    const tokens = await obtainTokens(agent, CLIENTS.web, { scope: "api:read offline_access" });
    const authenticator = newAuthenticator(issuer);
    expect((await addPasskey(agent, authenticator)).status).toBe(303);
    const identity = { sub: `mallory of ${email}`, email: "mallory@elsewhere.example", email_verified: false };
    expect(readable(await throughCorp(agent, "/account/security", "Connect Corp", identity))).toContain(
      "The account is connected",
    );
    await enrolTotp(agent);
    const proof = await agent.submit(await agent.open("/account"), { button: "Verify your email address" });
    expect([proof.status, await isSignedIn(agent)]).toEqual([200, true]);
    const { link } = await mailbox.next(email, "verify_email");
    const change = await agent.submit(await agent.open("/account/email"), {
      fields: { "New email": `taken-${email}` },
      button: "Change email",
    });
    return { agent, tokens, authenticator, identity, verifyLink: pathOf(link), change };
  }

  const proofs: [string, (email: string, verifyLink: string) => Promise<Agent>][] = [
    [
      "a reset of the password",
      async (email) => {
        const agent = newAgent(issuer);
        const asked = await agent.submit(await agent.open("/forgot-password"), {
          fields: { Email: email },
          button: "Send reset link",
        });
        expect(asked.status, asked.text).toBe(200);
        const reset = await agent.open(pathOf((await mailbox.next(email, "reset_link")).link));
        await agent.submit(reset, { fields: { "New password": OWN }, button: "Set password" });
        expect(await isSignedIn(agent)).toBe(false);
        return enter(email, OWN);
      },
    ],
    [
      "a mailed sign-in code",
      async (email) => {
        const agent = newAgent(issuer);
        const asked = await agent.submit(await agent.open("/sign-in"), {
          fields: { Email: email },
          button: "Email me a code",
        });
        expect(asked.status, asked.text).toBe(200);
        const { code } = await mailbox.next(email, "sign_in_code");
        await agent.submit(asked, { fields: { Code: code ?? "" }, button: "Continue" });
        return agent;
      },
    ],
    [
      "the stranger's verification link, opened by the owner",
      async (_, verifyLink) => {
        const agent = newAgent(issuer);
        await agent.submit(await agent.open(verifyLink), { fields: { "New password": OWN }, button: "Set password" });
        return agent;
      },
    ],
    [
      "a verified address at a provider",
      async (email) => {
        const agent = newAgent(issuer);
        const claims = {
          sub: `owner of ${email}`,
          email,
          email_verified: true,
          auth_time: Math.floor(Date.now() / 1000),
        };
        await throughCorp(agent, "/sign-in", "Continue with Corp", claims);
        return agent;
      },
    ],
  ];

  test.each(FULL ? proofs : [proofs[0], proofs[3]].filter((proof) => proof !== undefined))(
    "%s empties it: nothing of the stranger's is left or works",
    async (name, prove) => {
      const email = `${name.replaceAll(/\W+/g, "-")}@victim.example`;
      const { agent: stranger, tokens, authenticator, identity, verifyLink, change } = await occupy(email);
      const { code } = await mailbox.next(`taken-${email}`, "email_change_confirm");

      const owner = await prove(email, verifyLink);
      expect(await isSignedIn(owner)).toBe(true); // without the stranger's second factor
      expect(await isSignedIn(stranger)).toBe(false);
      expect((await callApi(issuer, tokens.access)).status).toBe(401);
      expect(refusal(await refresh(issuer, CLIENTS.web, tokens.refresh))).toEqual([400, "invalid_grant"]);
      expect(await isSignedIn(await enter(email, THEIRS))).toBe(false);

      const withPasskey = newAgent(issuer);
      expect((await passkeySignIn(withPasskey, authenticator)).status).toBe(400);
      const withIdentity = newAgent(issuer);
      await throughCorp(withIdentity, "/sign-in", "Continue with Corp", identity);
      expect([await isSignedIn(withPasskey), await isSignedIn(withIdentity)]).toEqual([false, false]);

      await stranger.submit(change, { fields: { Code: code ?? "" }, button: "Verify" });
      const used = await newAgent(issuer).open(verifyLink);
      expect(used.status).toBe(400);

      expect((await owner.open("/account")).text).toContain(email);
      expect((await owner.open("/account/apps")).text).toContain("No apps have access");
      const security = await owner.open("/account/security");
      expect(security.text).toContain("Set up authenticator app");
      expect(security.text).not.toContain("mallory");
      const passkeys = security.document.querySelectorAll("form[action='/account/security/passkeys'] button");
      expect(passkeys.map((button) => button.text.trim())).toEqual(["Add a passkey"]);
      expect((await owner.open("/account/sessions")).document.querySelectorAll(".rows li")).toHaveLength(1);
    },
  );
});
