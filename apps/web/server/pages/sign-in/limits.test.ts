import { updateUser } from "@gatehouse/console/users/manage-users";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

// What the pages make of limits. How many attempts each allows is held by
// packages/db/src/stores/accounts/limits.test.ts.

const OPERATOR = { id: "cli", name: "operator", role: "admin", via: "cli", freshSince: null, address: null } as const;
const NEW = "another good password";
const STARTS = 300;

let pages: Pages;
beforeAll(async () => {
  // Limits follow the machine's clock, and the sweep of a start deletes what is over by the application's.
  pages = await openPages({ now: Math.floor(Date.now() / 1000) });
});
afterAll(() => pages.close());

const user = () => pages.account({ totp: false });
const type = (email: string, password: string, browser: Browser = pages.newBrowser()) =>
  browser.post("/sign-in", { email, password });
const statusOf = async (email: string, password: string, browser?: Browser) =>
  (await type(email, password, browser)).response.status;

async function guess(email: string, times: number, browser?: Browser): Promise<void> {
  for (let tries = 0; tries < times; tries++) expect(await statusOf(email, "wrong", browser)).toBe(400);
}

/** A browser in which the user has signed in. */
async function browserOf({ email }: { email: string }): Promise<Browser> {
  const browser = pages.newBrowser();
  expect(await statusOf(email, PASSWORD, browser)).toBe(303);
  return browser;
}

test("AB-02 AB-04 ten limit an account, existing or invented alike, and the answer does not say which", async () => {
  const { email } = await user();
  const answers = [];
  for (const one of [email, "invented@example.com"]) {
    await guess(one, 10);
    const { response, html } = await type(one, PASSWORD);
    expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([429, true]);
    answers.push(
      html.replaceAll(response.headers.get("gatehouse-error-id") ?? "no id", "…").replaceAll(/value="[^"]*"/g, ""),
    );
  }
  expect(answers[0]).toBe(answers[1]);
  expect(answers[0]).not.toMatch(/lock/i);
});

test("AB-03 N70 eleven by strangers do not keep the owner's browser out", async () => {
  const owner = await user();
  const browser = await browserOf(owner);
  expect([...browser.cookies.keys()].filter((name) => name.includes("known"))).toHaveLength(1);
  await guess(owner.email, 10);
  expect([await statusOf(owner.email, "wrong"), await statusOf(owner.email, PASSWORD)]).toEqual([429, 429]);
  expect([await statusOf(owner.email, "wrong", browser), await statusOf(owner.email, PASSWORD, browser)]).toEqual([
    400, 303,
  ]);
});

test("AB-03 a known browser has its own counter, for its own account only, until the account's password is reset", async () => {
  const [owner, other] = [await user(), await user()];
  const browser = await browserOf(owner);
  await guess(owner.email, 10, browser);
  expect(await statusOf(owner.email, PASSWORD, browser)).toBe(429);
  await guess(other.email, 10, browser);
  expect(await statusOf(other.email, PASSWORD, browser)).toBe(429);

  await updateUser({ id: owner.id, password: NEW }, OPERATOR, pages.app.deps);
  expect(await statusOf(owner.email, NEW, browser)).toBe(303);
});

test("DF-11 device flows from changing addresses of one /64 share a limit, and other networks are not affected", async () => {
  const start = (address: string) => pages.app.deviceAttempts.start({ address }).begin();
  const waits = Array.from({ length: STARTS }, (_, at) => start(`2001:db8:bad:2::${at.toString(16)}`));
  expect(new Set(await Promise.all(waits))).toEqual(new Set([0]));
  expect(await start("2001:db8:bad:2::ffff")).toBeGreaterThan(0);
  expect(await start("2001:db8:bad:3::1")).toBe(0);
});

test("DF-11 the answer beyond the limit is 429 with Retry-After", async () => {
  const { POST } = await import("../../../app/device_authorization/route.ts");
  // No server has set the address of a request here.
  await Promise.all(Array.from({ length: STARTS }, () => pages.app.deviceAttempts.start({ address: null }).begin()));
  const body = new URLSearchParams({ client_id: "nobody" });
  const answer = await POST(new Request("http://localhost:3000/device_authorization", { method: "POST", body }), {
    params: {},
  });
  expect([answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
});
