import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { cookieName } from "@gatehouse/auth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Agent, newAgent, readable } from "../harness/agent.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, callback } from "../harness/flow.ts";
import { type Gatehouse, SQLITE, startGatehouse } from "../harness/gatehouse.ts";
import { json } from "../harness/http.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { AT_UPSTREAM, comeBack as comeBackTo, leave as leaveWith, verified } from "../harness/upstream.ts";

const { firstParty, web, otherWeb } = CLIENTS;

describe.each(SQLITE)("sign-in at a provider, on %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let upstream: UpstreamServer;
  let bound: UpstreamServer;
  let adminToken: string;
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  let count = 0;

  beforeAll(async () => {
    [upstream, bound] = await Promise.all([startUpstreamServer(AT_UPSTREAM), startUpstreamServer(AT_UPSTREAM)]);
    own = await startGatehouse({ engine, fixture: fixture(), settings: { GATEHOUSE_EMAIL_SIGN_IN: "off" } });
    issuer = own.issuer;
    adminToken = await consoleToken(issuer, "admin");
    mailbox = await openMailbox(issuer);
    await create({ id: "corp", name: "Corp", issuer: upstream.issuer, settings: { trustEmail: true } });
    await create({ id: "plain", name: "Plain", issuer: upstream.issuer });
    await create({
      id: "bound",
      name: "Bound",
      issuer: bound.issuer,
      settings: { trustEmail: true, domains: ["bound.example"] },
    });
  });
  afterAll(async () => {
    await own?.stop();
    upstream?.close();
    bound?.close();
  });
  beforeEach(() => upstream.forge({}));

  async function create(provider: object): Promise<void> {
    const draft = { preset: "oidc", clientId: AT_UPSTREAM, secret: upstream.clientSecret, ...provider };
    const answer = await mutate(issuer, "signInProviders.create", draft, adminToken);
    expect(answer.status, answer.text).toBe(200);
  }
  const newAddress = (domain = "people.example") => `person-${engine}-${++count}@${domain}`;
  const isSignedIn = async (agent: Agent) => (await agent.request("/api/protected/me")).status === 200;
  const meOf = async (agent: Agent) =>
    json(await agent.request("/api/protected/me"))["user"] as Record<string, unknown>;

  /** Signs in with email and password, in two steps because a provider routes by domain. */
  async function enter(name: string, agent = newAgent(issuer)): Promise<Agent> {
    const page = await agent.submit(await agent.open("/sign-in"), {
      fields: { Email: emailOf(name) },
      button: "Continue",
    });
    await agent.submit(page, { fields: { Email: emailOf(name), Password: PASSWORD }, button: "Sign in" });
    expect(await isSignedIn(agent)).toBe(true);
    return agent;
  }

  const leave = (agent: Agent, name: string, from?: string) => leaveWith(agent, `Continue with ${name}`, from);
  const comeBack = (
    agent: Agent,
    sent: URL,
    provider = upstream,
    claims: object = {},
    more: Record<string, string> = {},
  ) => comeBackTo(agent, sent, provider, claims, more);
  async function signInAt(claims: object, agent = newAgent(issuer), name = "Corp"): Promise<Agent> {
    await comeBack(agent, await leave(agent, name), upstream, claims);
    return agent;
  }

  test("UP-02 UP-09 a new user gets an account with the role user, and the same one the next time", async () => {
    const email = newAddress();
    const first = await signInAt(verified(email));
    expect(await meOf(first)).toMatchObject({ email, name: "Ada Upstream", role: "user" });
    const again = await signInAt({ ...verified(newAddress(), `sub of ${email}`), name: "Changed" });
    expect(await meOf(again)).toMatchObject({ email, name: "Ada Upstream" });
  });

  test.each([
    ["no", false],
    ["on", true],
  ])("SN-02 UP-02 'Keep me signed in' %s: the session of a provider is kept: %s", async (keep, kept) => {
    const agent = newAgent(issuer);
    const asked = await agent.post(await agent.open("/sign-in"), {
      fields: { "Keep me signed in": keep },
      button: "Continue with Corp",
    });
    const sent = new URL(asked.headers.get("location") ?? "");
    upstream.forge({ claims: { nonce: sent.searchParams.get("nonce"), ...verified(newAddress()) } });
    const { pathname } = new URL(sent.searchParams.get("redirect_uri") ?? "");
    const answer = await agent.request(
      `${pathname}?${new URLSearchParams({ code: "a-code", state: sent.searchParams.get("state") ?? "" })}`,
    );
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith(`${cookieName("session", { issuer })}=`));
    expect(cookie).toBeDefined();
    expect(cookie?.includes("Max-Age")).toBe(kept);
  });

  test("UP-05 the pending request survives, and the client gets a token of the upstream level", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open(authorizePath(firstParty, { scope: "openid api:read" }));
    const sent = await leave(agent, "Corp", new URL(page.url).pathname + new URL(page.url).search);
    const { params } = callback(await comeBack(agent, sent, upstream, verified(newAddress())));
    expect([params.get("state"), params.has("code")]).toEqual(["the-state", true]);
  });

  test("UP-13 max_age and prompt=login reach the provider, and an old sign-in there is not enough", async () => {
    const agent = newAgent(issuer);
    const open = async (change: object) => {
      const page = await agent.open(authorizePath(firstParty, { scope: "openid", ...change }));
      return leave(agent, "Corp", new URL(page.url).pathname + new URL(page.url).search);
    };
    const forced = await open({ prompt: "login" });
    expect([forced.searchParams.get("prompt"), forced.searchParams.get("max_age")]).toEqual(["login", "0"]);
    const sent = await open({ max_age: "60" });
    expect(sent.searchParams.get("max_age")).toBe("60");
    const old = Math.floor(Date.now() / 1000) - 600;
    const refused = await comeBack(agent, sent, upstream, { ...verified(newAddress()), auth_time: old });
    expect(readable(refused)).toContain("Corp didn't confirm that you've just signed in");
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("UP-08 the address of an account: its user signs in once, and the identity is connected", async () => {
    const email = emailOf("upstream-ada");
    const agent = newAgent(issuer);
    const asked = await comeBack(agent, await leave(agent, "Corp"), upstream, verified(email));
    expect(await isSignedIn(agent)).toBe(false);
    expect(readable(asked)).toContain("There's already an account with this email");
    await agent.submit(asked, { fields: { Email: email, Password: PASSWORD }, button: "Sign in" });
    expect(await meOf(agent)).toMatchObject({ email });
    const later = await signInAt(verified(email));
    expect(await meOf(later)).toMatchObject({ email });
  });

  test("SE-16 consent is given to each client, however often the user comes back from the provider", async () => {
    const claims = verified(newAddress());
    const agent = await signInAt(claims);
    const consent = await agent.open(authorizePath(web));
    expect(consent.url).toContain("/consent");
    expect(callback(await agent.submit(consent, { button: "Allow" })).params.has("code")).toBe(true);

    const later = newAgent(issuer);
    const asked = await comeBack(later, await leave(later, "Corp", authorizePath(otherWeb)), upstream, claims);
    expect([asked.status, asked.url]).toEqual([200, expect.stringContaining("/consent")]);
    expect(callback(await later.open(authorizePath(web))).params.has("code")).toBe(true);
  });

  test("UP-08 a user who signs in to another account connects nothing", async () => {
    const email = emailOf("upstream-eve");
    const agent = newAgent(issuer);
    await comeBack(agent, await leave(agent, "Corp"), upstream, verified(email));
    await enter("upstream-ada", agent);
    const later = newAgent(issuer);
    expect(readable(await comeBack(later, await leave(later, "Corp"), upstream, verified(email)))).toContain(
      "already an account",
    );
    expect(await isSignedIn(later)).toBe(false);
  });

  test.each([
    ["false", { email_verified: false }],
    ["absent", { email_verified: undefined }],
    ['"true"', { email_verified: "true" }],
  ])(
    "N66 UP-07 email_verified %s: not linked, and the page is the same for a known and an unknown address",
    async (_, change) => {
      const pages: string[] = [];
      for (const email of [emailOf("upstream-ada"), newAddress()]) {
        const agent = newAgent(issuer);
        const page = await comeBack(agent, await leave(agent, "Corp"), upstream, {
          ...verified(email, `n66 ${email}`),
          ...change,
        });
        expect(await isSignedIn(agent)).toBe(false);
        pages.push(readable(page).replace(/Error ID: \S+/, ""));
      }
      expect(pages[0]).toContain("Corp didn't confirm your email");
      expect(pages[1]).toBe(pages[0]);
    },
  );

  test("UP-07 a provider whose addresses are not trusted links and creates nothing", async () => {
    const agent = await signInAt(verified(emailOf("upstream-ada"), "untrusted"), newAgent(issuer), "Plain");
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("N67 UP-06 two providers with the same subject are two identities", async () => {
    const [one, other] = [newAddress(), newAddress("bound.example")];
    const first = await signInAt(verified(one, "same-subject"));
    const second = newAgent(issuer);
    await comeBack(second, await leave(second, "Bound"), bound, verified(other, "same-subject"));
    expect((await meOf(first))["email"]).toBe(one);
    expect((await meOf(second))["email"]).toBe(other);
  });

  test("N68 UP-10 a bound provider may not assert other domains", async () => {
    const agent = newAgent(issuer);
    const page = await comeBack(agent, await leave(agent, "Bound"), bound, verified(emailOf("upstream-ada"), "n68"));
    expect(readable(page)).toContain("You can't use this Bound account here");
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("UP-10 an address of a bound domain goes to its provider with login_hint, whatever the password, account or not", async () => {
    const agent = newAgent(issuer);
    const email = newAddress("bound.example");
    const page = await agent.open("/sign-in");
    expect(readable(page)).not.toContain("Password");
    for (const fields of [{ email }, { email, password: PASSWORD }]) {
      const sent = await agent.post(page, { button: "Continue", override: fields });
      const to = new URL(sent.headers.get("location") ?? "");
      expect([to.origin, to.searchParams.get("login_hint")]).toEqual([bound.issuer, email]);
    }
    const known = await agent.submit(page, { fields: { Email: emailOf("upstream-ada") }, button: "Continue" });
    await agent.submit(known, { fields: { Email: emailOf("upstream-ada"), Password: PASSWORD }, button: "Sign in" });
    expect(await isSignedIn(agent)).toBe(true);
  });

  test("UP-10 another provider opens no account with an address of a bound domain", async () => {
    const agent = await signInAt(verified(newAddress("bound.example"), "elsewhere"));
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("RG-05 N41 SN-04 a verified address at a provider takes over an account that a stranger made, empty, and is told", async () => {
    const email = newAddress();
    const stranger = newAgent(issuer);
    const fields = { Name: "Mallory", Email: email, Password: "the long password of a stranger" };
    await stranger.submit(await stranger.open("/sign-up"), { fields, button: "Create account" });
    expect(await isSignedIn(stranger)).toBe(true);
    const owner = await signInAt(verified(email));
    expect(await meOf(owner)).toMatchObject({ email });
    expect(await isSignedIn(stranger)).toBe(false);
    expect(await mailbox.next(email, "identity_linked")).toMatchObject({
      subject: "Corp was connected to your account",
    });
    const back = newAgent(issuer);
    const page = await back.submit(await back.open("/sign-in"), { fields: { Email: email }, button: "Continue" });
    await back.submit(page, { fields: { Email: email, Password: fields.Password }, button: "Sign in" });
    expect(await isSignedIn(back)).toBe(false);
  });

  test("UP-08 connect: a signed-in user adds a provider, and nobody else can have it", async () => {
    const agent = await enter("upstream-connect");
    const claims = { sub: "connected", email: "other@elsewhere.example", email_verified: false };
    const sent = await leaveWith(agent, "Connect Corp", "/account/security");
    const page = await comeBack(agent, sent, upstream, claims);
    expect(readable(page)).toContain("The account is connected");
    expect((await meOf(await signInAt(claims)))["email"]).toBe(emailOf("upstream-connect"));

    const other = await enter("upstream-ada");
    const refused = await comeBack(
      other,
      await leaveWith(other, "Connect Plain", "/account/security"),
      upstream,
      claims,
    );
    expect(refused.status, readable(refused)).toBe(200); // another provider, so another identity
    const taken = await enter("upstream-eve");
    const no = await comeBack(taken, await leaveWith(taken, "Connect Corp", "/account/security"), upstream, claims);
    expect([no.status, readable(no)]).toEqual([403, expect.stringContaining("already connected to another account")]);
  });
  test("WA-12 N61 a connected account is removed after a fresh sign-in, but never the last way in", async () => {
    const email = newAddress();
    const only = await signInAt({ ...verified(email), auth_time: Math.floor(Date.now() / 1000) });
    const stays = await only.submit(await only.open("/account/security"), { button: "Remove" });
    expect([stays.status, readable(stays)]).toEqual([409, expect.stringContaining("only way to sign in")]);

    const agent = await enter("upstream-remove");
    const claims = { sub: "to remove" };
    await comeBack(agent, await leaveWith(agent, "Connect Corp", "/account/security"), upstream, claims);
    const elsewhere = await signInAt(claims);
    expect(await isSignedIn(elsewhere)).toBe(true);
    const removed = await agent.submit(await agent.open("/account/security"), { button: "Remove" });
    expect(readable(removed)).toContain("The connection was removed");
    expect([await isSignedIn(agent), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect(await isSignedIn(await signInAt(claims))).toBe(false);
  });

  describe("N65 forged answers: 400 and no session", () => {
    const answers: [
      string,
      (sent: URL) => { claims?: object; signing?: "none" | "HS256" | "other key"; callback?: Record<string, string> },
    ][] = [
      ["wrong iss", () => ({ claims: { iss: "https://evil.example" } })],
      ["wrong nonce", () => ({ claims: { nonce: "another" } })],
      ["wrong aud", () => ({ claims: { aud: "another" } })],
      ["alg none", () => ({ signing: "none" })],
      ["HS256", () => ({ signing: "HS256" })],
      ["another key", () => ({ signing: "other key" })],
      ["iss parameter of another provider", () => ({ callback: { iss: "https://evil.example" } })],
      ["unknown state", () => ({ callback: { state: "unknown" } })],
      ["no state", () => ({ callback: { state: "" } })],
    ];
    test.each(answers)("N65 %s", async (_, forge) => {
      const agent = newAgent(issuer);
      const sent = await leave(agent, "Corp");
      const { claims, signing, callback: more } = forge(sent);
      const all = { nonce: sent.searchParams.get("nonce"), ...verified(newAddress()), ...claims };
      upstream.forge({ claims: all, ...(signing && { signing }) });
      const answer = new URLSearchParams({ code: "c", state: sent.searchParams.get("state") ?? "", ...more });
      const page = await agent.open(`/sign-in/with/corp/callback?${answer}`);
      expect(page.status, readable(page)).toBe(400);
      expect(await isSignedIn(agent)).toBe(false);
    });

    test("UP-03 three sign-ins that were left, each with a long state, and the browser's requests can still be read", async () => {
      const agent = newAgent(issuer);
      let sent: URL | undefined;
      for (let at = 0; at < 3; at++) {
        const page = await agent.follow(await agent.request(authorizePath(web, { state: `${at}`.repeat(4_500) })));
        sent = await leave(agent, "Corp", new URL(page.url).pathname + new URL(page.url).search);
      }
      expect((await agent.request("/sign-in")).status).toBe(200);
      await comeBack(agent, sent as URL, upstream, verified(newAddress()));
      expect(await isSignedIn(agent)).toBe(true);
    });

    test("N65 UP-03 the state of another browser, another provider's callback, and a state that came before", async () => {
      const [victim, attacker] = [newAgent(issuer), newAgent(issuer)];
      const sent = await leave(attacker, "Corp");
      expect((await comeBack(victim, sent, upstream, verified(newAddress()))).status).toBe(400);
      expect(await isSignedIn(victim)).toBe(false);

      const state = sent.searchParams.get("state") ?? "";
      expect((await attacker.open(`/sign-in/with/plain/callback?code=c&state=${state}`)).status).toBe(400);

      const cookies = new Map(attacker.cookies);
      await comeBack(attacker, sent, upstream, verified(newAddress()));
      expect(await isSignedIn(attacker)).toBe(true);
      const replay = newAgent(issuer);
      for (const [name, value] of cookies) replay.cookies.set(name, value);
      expect((await comeBack(replay, sent, upstream, verified(newAddress()))).status).toBe(400);
      expect(await isSignedIn(replay)).toBe(false);
    });
  });

  test("UP-05 a user who cancels, and a provider that fails, lead back to the sign-in page with an error id and the request", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open(authorizePath(firstParty, { scope: "openid" }));
    const from = new URL(page.url).pathname + new URL(page.url).search;
    const cancelled = await comeBack(agent, await leave(agent, "Corp", from), upstream, {}, { error: "access_denied" });
    expect(readable(cancelled)).toMatch(/The sign-in with Corp was cancelled\. Error ID: \S+/);
    expect(cancelled.url).toContain("request=");
    const sent = await leave(agent, "Corp", from);
    upstream.forge({ tokenError: { status: 500, body: "<html>", type: "text/html" } });
    const failed = await agent.open(`/sign-in/with/corp/callback?code=c&state=${sent.searchParams.get("state")}`);
    expect(readable(failed)).toContain("We can't reach Corp right now");
    expect(failed.url).toContain("request=");
  });

  test("UP-11 a cross-site POST is answered with a redirect to the GET, and nothing else", async () => {
    const answer = await newAgent(issuer).request("/sign-in/with/corp/callback", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://appleid.apple.com",
        "sec-fetch-site": "cross-site",
      },
      body: "code=c&state=s&user=%7B%7D&evil=1",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      "/sign-in/with/corp/callback?code=c&state=s&user=%7B%7D",
    ]);
  });

  test("UP-02 a start needs the CSRF token of our page; HEAD and GET start nothing", async () => {
    const agent = newAgent(issuer);
    await agent.open("/sign-in");
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: issuer };
    const forged = await agent.request("/sign-in/with/corp", { method: "POST", headers, body: "csrf=made-up" });
    expect(forged.status).toBe(403);
    expect((await agent.request("/sign-in/with/corp")).status).toBe(405);
    expect((await agent.request("/sign-in/with/corp/callback", { method: "HEAD" })).status).toBe(405);
  });

  test("UP-01 a provider that is switched off signs nobody in, even who is on the way", async () => {
    await create({ id: "passing", name: "Passing", issuer: upstream.issuer, settings: { trustEmail: true } });
    const agent = newAgent(issuer);
    const sent = await leave(agent, "Passing");
    expect(
      dataOf(await mutate(issuer, "signInProviders.setEnabled", { id: "passing", enabled: false }, adminToken)),
    ).toMatchObject({
      enabled: false,
    });
    await comeBack(agent, sent, upstream, verified(newAddress()));
    expect(await isSignedIn(agent)).toBe(false);
    expect(readable(await newAgent(issuer).open("/sign-in"))).not.toContain("Passing");
  });
});
