import { invite } from "@gatehouse/accounts";
import { codeOf, newAuthenticator } from "@gatehouse/accounts/testing";
import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { createSignInProvider } from "@gatehouse/console/sign-in-providers/providers";
import { updateUser } from "@gatehouse/console/users/manage-users";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, ceremonyOf, cookieNamed, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

// Something happens while a request waits for its answer. Mostly the account's password is replaced: a reset ends what
// is in flight too. WE-03.

const NEW_PASSWORD = "the owner's new password";
const ATTACKERS = "the attacker's own password";
const OPERATOR = { id: "cli", name: "operator", role: "admin", via: "cli", freshSince: null, address: null } as const;
const ISSUER = "http://localhost:3000";

type Account = Awaited<ReturnType<Pages["account"]>>;

let pages: Pages;
let restore: (() => void)[] = [];
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
});
afterEach(() => {
  for (const undo of restore) undo();
  restore = [];
});

async function reset({ id }: Account): Promise<void> {
  await updateUser({ id, password: NEW_PASSWORD }, OPERATOR, pages.app.deps);
}

/** Acts once, around the next call of a part of the application. */
function interleave<Part extends object>(
  part: Part,
  method: keyof Part,
  when: "before" | "after",
  act: () => Promise<unknown>,
): void {
  const original = part[method] as (...args: unknown[]) => Promise<unknown>;
  let acted: Promise<unknown> | undefined;
  const once = () => {
    acted ??= act();
    return acted;
  };
  restore.push(() => {
    part[method] = original as Part[typeof method];
  });
  part[method] = (async (...args: unknown[]) => {
    if (when === "before") await once();
    const result = await original.apply(part, args);
    await once();
    return result;
  }) as Part[typeof method];
}

const resetAround = <Part extends object>(part: Part, method: keyof Part, when: "before" | "after", account: Account) =>
  interleave(part, method, when, () => reset(account));

async function signIn({ email, password }: Account, code?: string): Promise<Browser> {
  const browser = pages.newBrowser();
  const { location } = await browser.post("/sign-in", { email, password });
  if (code !== undefined) await browser.post(location, { code });
  expect(await browser.session()).toBeDefined();
  return browser;
}

async function addPasskey(browser: Browser, authenticator = newAuthenticator(ISSUER)) {
  const { html, options } = ceremonyOf((await browser.get("/account/security/passkeys")).html, "create");
  const { response } = await browser.submit(html, { credential: authenticator.create(options) });
  expect(response.status).toBe(303);
  return authenticator;
}

const passwordIs = async ({ email }: Account, password: string) => {
  const account = await pages.app.deps.people.findAccountByEmail(email);
  return (await pages.app.deps.hasher.verify(account?.passwordHash, password)) === "right";
};

describe("N49 D6 a sign-in in flight during a reset", () => {
  test("the old password, judged before the reset, leaves no session", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    resetAround(pages.app.deps.hasher, "verify", "after", ada);
    const { response } = await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    expect([response.status, await browser.session()]).toEqual([400, undefined]);
  });

  test("the old password leaves no second step either", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    resetAround(pages.app.deps.hasher, "verify", "after", ada);
    expect((await browser.post("/sign-in", { email: ada.email, password: PASSWORD })).response.status).toBe(400);
    expect(browser.cookies.has(cookieNamed("ticket"))).toBe(false);
  });

  test("a reset between the gate and the session ends the session", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    resetAround(pages.app.deps.store, "findEnrolment", "after", ada);
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    expect(await browser.session()).toBeUndefined();
  });

  test("a passkey leaves no session", async () => {
    const ada = await pages.account({ totp: false });
    const authenticator = await addPasskey(await signIn(ada));
    const browser = pages.newBrowser();
    const { html, options } = ceremonyOf((await browser.get("/sign-in")).html, "get");
    resetAround(pages.app.deps.people, "usePasskey", "after", ada);
    const { response } = await browser.submit(html, { credential: authenticator.get(options) });
    expect([response.status, await browser.session()]).toEqual([400, undefined]);
  });

  test("a code of the second step leaves no session", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    const { location } = await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    resetAround(pages.app.deps.people, "spendTotpStep", "before", ada);
    await browser.post(location, { code: ada.code() });
    expect(await browser.session()).toBeUndefined();
  });

  test("a confirmation with the old password does not give the session new life", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    pages.clock.now += 660;
    const page = await browser.get("/sign-in/confirm");
    resetAround(pages.app.deps.hasher, "verify", "after", ada);
    await browser.submit(page.html, { password: PASSWORD });
    expect(await browser.session()).toBeUndefined();
  });

  test("UM-03 the password that an old one had to be replaced by is not set", async () => {
    const ada = await pages.account({ totp: false });
    await pages.app.deps.db.update(pages.app.deps.db.tables.users).set({ mustChangePassword: true });
    const browser = pages.newBrowser();
    const { html } = await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    resetAround(pages.app.deps.people, "findAccountByEmail", "before", ada);
    await browser.submit(html, { password: ATTACKERS });
    expect([await browser.session(), await passwordIs(ada, NEW_PASSWORD)]).toEqual([undefined, true]);
  });
});

describe("WE-03 a change in flight during a reset", () => {
  test("PW-08 the new password of a session from before does not replace the owner's", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const page = await browser.get("/account/password");
    resetAround(pages.app.deps.hasher, "verify", "after", ada);
    const fields = {
      csrf: /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? "",
      current: PASSWORD,
      password: ATTACKERS,
    };
    await browser.submit("", fields, "/account/password");
    expect(await passwordIs(ada, NEW_PASSWORD)).toBe(true);
  });

  test("WA-03 a passkey of a session from before is not added", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const { html, options } = ceremonyOf((await browser.get("/account/security/passkeys")).html, "create");
    resetAround(pages.app.deps.store, "findEnrolment", "after", ada);
    await browser.submit(html, { credential: newAuthenticator(ISSUER).create(options) });
    expect(await pages.app.deps.people.listPasskeys(ada.id)).toEqual([]);
  });

  test("MF-03 an authenticator app of a session from before is not added", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const { html } = await browser.get("/account/security/authenticator");
    const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(" ", "") ?? "";
    const fields = {
      csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "",
      setup: /name="setup" value="([^"]+)"/.exec(html)?.[1] ?? "",
    };
    resetAround(pages.app.deps.people, "countRecoveryCodes", "before", ada);
    await browser.submit("", { ...fields, code: codeOf(key, pages.clock.now) }, "/account/security/authenticator");
    expect(await pages.app.deps.people.findTotp(ada.id)).toBeUndefined();
  });
});

describe("RG-08 an invitation in flight", () => {
  test("a passkey that another account stores meanwhile makes no account, and the invitation counts on", async () => {
    const { people } = pages.app.deps;
    const email = "unproved@example.com";
    const unproved = {
      id: "usr_unproved",
      email,
      name: "Nobody",
      role: "user",
      passwordHash: null,
      createdAt: pages.clock.now,
    } as const;
    await people.insertUnverifiedAccount({ ...unproved, registeredBy: "self" }, {});
    const invited = await invite({ email, role: "viewer", invitedBy: "cli", locale: "en" }, () => ({}), pages.app.deps);
    if (typeof invited === "string") throw new Error(`the invitation was not made: ${invited}`);

    const owner = await signIn(await pages.account({ totp: false }));
    const authenticator = newAuthenticator(ISSUER);
    const browser = pages.newBrowser();
    const link = new URL(invited.link);
    await browser.get(link.pathname + link.search);
    const { html, options } = ceremonyOf((await browser.get(link.pathname)).html, "create");
    interleave(people, "claimAddress", "before", () => addPasskey(owner, authenticator));
    const answer = await browser.submit(html, { name: "Grace", credential: authenticator.create(options) });

    expect([answer.response.status, answer.html]).toEqual([400, expect.stringContaining("already has a passkey")]);
    expect(await browser.session()).toBeUndefined();
    expect(await people.findAccountByEmail(email)).toMatchObject({ name: "Nobody", emailVerifiedAt: null });
    expect(await people.findInvitation(invited.invitation.id)).toMatchObject({ acceptedAt: null });
  });
});

describe("UP-08 a provider's answer in flight", () => {
  const CLIENT = "gatehouse-at-upstream";
  let corp: UpstreamServer;
  beforeAll(async () => {
    corp = await startUpstreamServer(CLIENT);
    const draft = {
      id: "corp",
      name: "Corp",
      preset: "oidc",
      clientId: CLIENT,
      secret: corp.clientSecret,
      issuer: corp.issuer,
      settings: { trustEmail: true },
    } as const;
    await createSignInProvider(draft, OPERATOR, pages.app.deps);
  });
  afterAll(() => corp?.close());

  const csrfOf = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
  function comeBack(browser: Browser, { location }: { location: string }, claims: Record<string, unknown> = {}) {
    const sent = new URL(location).searchParams;
    const times = { iat: pages.clock.now, exp: pages.clock.now + 300 };
    corp.forge({ claims: { nonce: sent.get("nonce"), sub: "somebody", ...times, ...claims } });
    return browser.get(
      `/sign-in/with/corp/callback?${new URLSearchParams({ code: "c", state: sent.get("state") ?? "" })}`,
    );
  }
  async function connect(browser: Browser) {
    const csrf = csrfOf((await browser.get("/account/password")).html);
    return browser.submit("", { csrf, connect: "corp" }, "/account/identities");
  }

  test("WE-03 after a reset, the identity is not connected to the account", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const sent = await connect(browser);
    resetAround(pages.app.deps.people, "findIdentity", "before", ada);
    await comeBack(browser, sent);
    expect(await pages.app.deps.people.listIdentities(ada.id)).toEqual([]);
  });

  test("UP-08 SN-03 an identity is connected in the session that asked: not in another one of the same user in that browser", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const sent = await connect(browser);
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    await comeBack(browser, sent);
    expect(await pages.app.deps.people.listIdentities(ada.id)).toEqual([]);
  });

  test("WE-02 WE-03 N59 an identity that is disconnected meanwhile leaves no session, and connecting it gave the session a new secret", async () => {
    const ada = await pages.account({ totp: false });
    const owner = await signIn(ada);
    const secret = owner.cookies.get(cookieNamed("session"));
    await comeBack(owner, await connect(owner));
    expect(owner.cookies.get(cookieNamed("session"))).not.toBe(secret);
    const { people } = pages.app.deps;
    const [identity] = await people.listIdentities(ada.id);

    const browser = pages.newBrowser();
    const csrf = csrfOf((await browser.get("/sign-in")).html);
    const sent = await browser.submit("", { csrf, keep: "on" }, "/sign-in/with/corp");
    const removal = {
      userId: ada.id,
      id: identity?.id ?? "",
      signInEpoch: (await people.findAccount(ada.id))?.signInEpoch ?? -1,
      keep: "",
    };
    interleave(people, "findIdentity", "after", () => people.deleteIdentity(removal, {}, pages.clock.now));
    await comeBack(browser, sent);
    expect([await people.listIdentities(ada.id), await browser.session()]).toEqual([[], undefined]);
  });

  test("UP-08 SN-04 an identity that waits for a sign-in is announced by the page, and connected with the session, or neither is written", async () => {
    const { deps } = pages.app;
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    const csrf = csrfOf((await browser.get("/sign-in")).html);
    const sent = await browser.submit("", { csrf, keep: "on" }, "/sign-in/with/corp");
    await comeBack(browser, sent, { sub: "waits", email: ada.email, email_verified: true });
    // UP-08: every sign-in page of this browser says so, not only the one that the provider led to.
    expect((await browser.get("/sign-in")).html).toContain("you can use Corp from then on");
    expect((await pages.newBrowser().get("/sign-in?provider=corp&notice=prove")).html).not.toContain(
      "Corp from then on",
    );
    const signIn = () => browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const written = async () => [
      (await deps.store.listSessions(ada.id, deps.now())).length,
      (await deps.people.listIdentities(ada.id)).map(({ subject }) => subject),
    ];

    const { compose } = deps.mail;
    const data = { at: deps.now(), address: null, userAgent: null };
    const queued = compose("new_sign_in", { to: ada.email, trusted: true, userId: ada.id, locale: "en", data });
    deps.mail.compose = (kind, about) => (kind === "identity_linked" ? queued : compose(kind, about));
    restore.push(() => {
      deps.mail.compose = compose;
    });
    await deps.people.record({ mails: [queued] });
    expect((await signIn().catch(() => undefined))?.response.status).not.toBe(303); // the mail's id is taken
    expect([await written(), await browser.session()]).toEqual([[0, []], undefined]);

    deps.mail.compose = compose;
    expect([(await signIn()).response.status, await written()]).toEqual([303, [1, ["waits"]]]);
  });
});
