import { seedApplication } from "@gatehouse/console/testing/installation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guard } from "../../routing/guard.ts";
import { type Browser, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

const MARKS: Record<string, string>[] = [
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { "sec-purpose": "prefetch;anonymous-client-ip" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "x-moz": "prefetch" },
];

let pages: Pages;
let browser: Browser;
let clientId: string;

beforeAll(async () => {
  pages = await openPages();
  ({ clientId } = await seedApplication(pages.app.deps));
  const ada = await pages.account({ totp: false });
  browser = pages.newBrowser();
  await browser.post("/sign-in", { email: ada.email, password: PASSWORD, keep: "on" });
});
afterAll(() => pages.close());

const rows = async () => {
  const { db } = pages.app.deps;
  const { authorizationCodes, grants, refusals, refusalGroups, sessions, mailedTokens, rateLimits } = db.tables;
  const changed = [authorizationCodes, grants, refusals, refusalGroups, sessions, mailedTokens, rateLimits];
  return Promise.all(changed.map((table) => db.select().from(table)));
};

const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
const request = () =>
  new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: "http://localhost:4000/callback",
    ...pkce,
  });

test.each([
  ["/authorize", () => `/authorize?${request()}`],
  ["/logout", () => "/logout"],
  ["/logout with a fault", () => "/logout?post_logout_redirect_uri=x"],
  ["a mailed link", () => "/verify-email?token=x"],
  ["a sign-in link", () => "/sign-in/code?token=x"],
  ["a reset link", () => "/reset-password?token=x"],
  ["an invitation", () => "/invitation?token=x"],
  ["a device's link", () => "/device?user_code=BCDF-GHJK"],
  ["the way back from a provider", () => "/sign-in/with/google/callback?code=x&state=y"],
])(
  "a page that a browser loads ahead of its user changes nothing, sets no cookie and is not shown: %s",
  async (_, path) => {
    const before = await rows();
    const cookies = new Map(browser.cookies);
    pages.clock.now += 3600; // a session that is read would move its expiry
    for (const mark of MARKS) {
      const { response } = await browser.get(path(), mark);
      expect([response.status, response.headers.get("location"), response.headers.get("cache-control")]).toEqual([
        503,
        null,
        "no-store",
      ]);
    }
    expect(await rows()).toEqual(before);
    expect(browser.cookies).toEqual(cookies);
  },
);

test.each(MARKS)("the guard refuses %j before it reads the session", async (mark) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const asked = (headers: Record<string, string>) =>
    guard(new Request("http://localhost:3000/account", { headers: { cookie, ...headers } }));
  const before = await rows();
  pages.clock.now += 3600;
  expect((await asked(mark))?.status).toBe(503);
  expect(await rows()).toEqual(before);
  expect(await asked({ "sec-purpose": "", purpose: "other" })).toBeUndefined();
});
