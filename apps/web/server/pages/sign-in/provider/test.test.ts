import { openTestReport } from "@gatehouse/accounts";
import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import type { Author } from "@gatehouse/console/permissions";
import {
  createSignInProvider,
  getSignInProvider,
  setSignInProviderEnabled,
  updateSignInProvider,
} from "@gatehouse/console/sign-in-providers/providers";
import { finishSignInTest, startSignInTest } from "@gatehouse/console/sign-in-providers/test-sign-in";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, openPages, type Pages } from "../../testing/pages.ts";

const OPERATOR = { id: "cli", name: "operator", role: "admin", via: "cli", freshSince: null, address: null } as const;
const CLIENT = "gatehouse-at-upstream";

type Account = Awaited<ReturnType<Pages["account"]>>;

let pages: Pages;
let corp: UpstreamServer;
beforeAll(async () => {
  pages = await openPages();
  corp = await startUpstreamServer(CLIENT);
  const draft = {
    id: "corp",
    name: "Corp",
    preset: "oidc",
    clientId: CLIENT,
    secret: corp.clientSecret,
    issuer: corp.issuer,
    settings: { trustEmail: true, trustAcr: { strong: "urn:gatehouse:acr:mfa" } },
    enabled: false,
  } as const;
  await createSignInProvider(draft, OPERATOR, pages.app.deps);
});
afterAll(async () => {
  corp?.close();
  await pages.close();
});
beforeEach(() => {
  pages.clock.now += 3600;
});

async function signedIn({ email, password }: Account): Promise<Browser> {
  const browser = pages.newBrowser();
  await browser.post("/sign-in", { email, password });
  return browser;
}
const authorOf = ({ id, email }: Account): Author => ({ ...OPERATOR, id, name: email, via: "console" });
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

/** An admin with a browser that has gone to the provider for a test. */
async function departed() {
  const admin = await pages.account({ totp: false, role: "admin" });
  const browser = await signedIn(admin);
  const { url } = await startSignInTest("corp", authorOf(admin), pages.app.deps);
  const { response, location } = await browser.get(pathOf(url));
  return { admin, browser, url, response, sent: new URL(location).searchParams, location };
}

/** Comes back from the provider. `denied`: with its error instead. */
function comeBack(
  browser: Browser,
  sent: URLSearchParams,
  { claims = {}, ...forgery }: Parameters<UpstreamServer["forge"]>[0] = {},
  answer: Record<string, string> = { code: "c" },
) {
  const times = { iat: pages.clock.now, exp: pages.clock.now + 300 };
  corp.forge({ claims: { nonce: sent.get("nonce"), sub: "somebody", ...times, ...claims }, ...forgery });
  const query = new URLSearchParams({ ...answer, state: sent.get("state") ?? "" });
  return browser.get(`/sign-in/with/corp/callback?${query}`);
}

/** What the console shows the admin who tested. */
async function resultOf(location: string, admin: Account) {
  const url = new URL(location);
  expect([url.origin, url.pathname]).toEqual(["http://localhost:3001", "/sign-in-providers/corp"]);
  const report = url.searchParams.get("report") ?? "";
  return finishSignInTest({ id: "corp", report }, authorOf(admin), pages.app.deps);
}

/** Everything that a sign-in could have left behind. */
async function traces() {
  const { db } = pages.app.deps;
  const { users, identities, sessions, accountEvents, mails } = db.tables;
  const rows = await Promise.all(
    [users, identities, sessions, accountEvents, mails].map((table) => db.select().from(table)),
  );
  return rows.map(({ length }) => length);
}

describe("UP-01 a test of a sign-in", () => {
  test("goes to the provider as a sign-in does, while the provider is off, and says what arrived", async () => {
    const { admin, browser, sent, location } = await departed();
    expect(location.startsWith(`${corp.issuer}/authorize?`)).toBe(true);
    expect(Object.fromEntries(sent)).toMatchObject({ code_challenge_method: "S256", client_id: CLIENT });
    expect([sent.get("state")?.length, sent.get("nonce")?.length]).toEqual([43, 43]);
    const before = await traces();
    const claims = { email: "new@corp.example", email_verified: true, name: "New User", acr: "strong" };
    const result = await resultOf((await comeBack(browser, sent, { claims })).location, admin);
    expect(result).toMatchObject({
      advice: null,
      changedSince: false,
      outcome: {
        kind: "arrived",
        issuer: corp.issuer,
        subject: "somebody",
        email: "new@corp.example",
        emailVerified: true,
        name: "New User",
        acr: "strong",
        level: "urn:gatehouse:acr:mfa",
        leadsTo: { kind: "create", account: null },
      },
    });
    expect(await traces()).toEqual(before);
    expect((await browser.session())?.user.id).toBe(admin.id);
  });

  test("names the account that a sign-in would lead to, and connects nothing to it", async () => {
    const { admin, browser, sent } = await departed();
    const ada = await pages.account({ totp: false });
    const before = await traces();
    const { location } = await comeBack(browser, sent, { claims: { email: ada.email, email_verified: true } });
    expect(await resultOf(location, admin)).toMatchObject({
      outcome: { leadsTo: { kind: "prove", account: { id: ada.id, email: ada.email } } },
    });
    expect(await traces()).toEqual(before);
  });

  test("says why a user would not get in, and what to change", async () => {
    const { admin, browser, sent } = await departed();
    const claims = { email: "new@corp.example", email_verified: false };
    const { location } = await comeBack(browser, sent, { claims });
    expect(await resultOf(location, admin)).toMatchObject({
      outcome: { emailVerified: false, leadsTo: { kind: "refused", reason: "email_unverified" } },
      advice: expect.stringContaining("Trust verified addresses"),
    });
  });

  test.each([
    [
      "the secret is wrong",
      { tokenError: { status: 401, body: '{"error":"invalid_client","error_description":"Invalid secret"}' } },
      { problem: "exchange_refused", code: "invalid_client", description: "Invalid secret" },
      /“Client secret” again/,
    ],
    ["the ID token is forged", { signing: "other key" }, { problem: "answer_invalid" }, /“Issuer” and “Client ID”/],
  ] as const)("says what to change where %s", async (_, forgery, outcome, advice) => {
    const { admin, browser, sent } = await departed();
    const { location } = await comeBack(browser, sent, forgery);
    expect(await resultOf(location, admin)).toMatchObject({
      outcome: { kind: "failed", ...outcome },
      advice: expect.stringMatching(advice),
    });
  });

  test("says what the provider says where it refuses", async () => {
    const { admin, browser, sent } = await departed();
    const { location } = await comeBack(
      browser,
      sent,
      {},
      { error: "invalid_scope", error_description: "No such scope" },
    );
    expect(await resultOf(location, admin)).toMatchObject({
      outcome: { kind: "failed", problem: "denied", code: "invalid_scope", description: "No such scope" },
      advice: expect.stringContaining("“Scopes”"),
    });
  });

  test("counts as tested until the settings change, however often the provider is switched off and on", async () => {
    const tested = async () => (await getSignInProvider("corp", pages.app.deps)).tested;
    await updateSignInProvider({ id: "corp", name: "Corp 2" }, OPERATOR, pages.app.deps);
    expect(await tested()).toBe(false);
    const { admin, browser, sent } = await departed();
    const claims = { email: "new@corp.example", email_verified: true };
    await resultOf((await comeBack(browser, sent, { claims })).location, admin);
    expect(await tested()).toBe(true);
    for (const enabled of [true, false])
      await setSignInProviderEnabled({ id: "corp", enabled }, OPERATOR, pages.app.deps);
    expect(await tested()).toBe(true);
    const cancelled = await departed();
    const refusal = { error: "access_denied" };
    await resultOf((await comeBack(cancelled.browser, cancelled.sent, {}, refusal)).location, cancelled.admin);
    expect(await tested()).toBe(true);
    await updateSignInProvider({ id: "corp", name: "Corp 3" }, OPERATOR, pages.app.deps);
    expect(await tested()).toBe(false);
  });

  test("of settings that changed meanwhile does not count", async () => {
    const { admin, browser, sent } = await departed();
    const { location } = await comeBack(browser, sent, { claims: { email: "new@corp.example", email_verified: true } });
    pages.clock.now += 1;
    await updateSignInProvider({ id: "corp", name: "Corp 4" }, OPERATOR, pages.app.deps);
    expect(await resultOf(location, admin)).toMatchObject({ changedSince: true });
    expect(await getSignInProvider("corp", pages.app.deps)).toMatchObject({ tested: false });
  });
});

describe("UP-01 UP-03 a test belongs to its admin and their browser", () => {
  test("a ticket is for the signed-in admin who asked, for its provider, and for five minutes", async () => {
    const { browser, url, admin } = await departed();
    const other = await signedIn(await pages.account({ totp: false, role: "admin" }));
    expect((await other.get(pathOf(url))).response.status).toBe(400);
    expect((await pages.newBrowser().get(pathOf(url))).location).toMatch(/^\/sign-in\?/);
    expect((await browser.get("/sign-in/with/corp/test?ticket=forged")).response.status).toBe(400);
    expect((await browser.get("/sign-in/with/corp/test")).response.status).toBe(400);
    pages.clock.now += 300;
    expect((await browser.get(pathOf(url))).response.status).toBe(400);
    expect((await browser.session())?.user.id).toBe(admin.id);
  });

  test("an answer counts once, and in the session that asked only", async () => {
    const { browser, sent } = await departed();
    const other = await signedIn(await pages.account({ totp: false, role: "admin" }));
    expect((await comeBack(other, sent)).response.status).toBe(400);
    expect((await comeBack(browser, sent)).response.status).toBe(303);
    expect((await comeBack(browser, sent)).response.status).toBe(400);

    const again = await departed();
    for (const name of [...again.browser.cookies.keys()]) if (/session/.test(name)) again.browser.cookies.delete(name);
    expect((await comeBack(again.browser, again.sent)).response.status).toBe(400);
  });

  test("a report opens for its admin only, and for ten minutes", async () => {
    const { admin, browser, sent } = await departed();
    const { location } = await comeBack(browser, sent);
    const report = new URL(location).searchParams.get("report") ?? "";
    expect(location).not.toContain("somebody");
    const { deps } = pages.app;
    await expect(
      finishSignInTest({ id: "corp", report }, { ...authorOf(admin), id: "another" }, deps),
    ).rejects.toMatchObject({ kind: "not_found" });
    await expect(finishSignInTest({ id: "google", report }, authorOf(admin), deps)).rejects.toMatchObject({
      kind: "not_found",
    });
    pages.clock.now += 600;
    expect(openTestReport(report, admin.id, deps)).toBeUndefined();
  });
});
