import { updateUser } from "@gatehouse/operations";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, openPages, PASSWORD, type Pages } from "./testing/pages.ts";

// How many wrong passwords there may be is held by packages/db/src/stores/account-limits.test.ts.

const OPERATOR = { id: "cli", name: "operator", role: "admin", via: "cli", authTime: null, address: null } as const;
const NEW = "another good password";

let pages: Pages;
beforeAll(async () => {
  // Limits follow the machine's clock, and the sweep of a start deletes what is over by the application's.
  pages = await openPages({ now: Math.floor(Date.now() / 1000) });
});
afterAll(() => pages.close());

const user = () => pages.person({ totp: false });
const type = (email: string, password: string, browser: Browser = pages.newBrowser()) => browser.post("/sign-in", { email, password });
const statusOf = async (email: string, password: string, browser?: Browser) => (await type(email, password, browser)).response.status;

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
    answers.push(html.replaceAll(response.headers.get("gatehouse-error-id") ?? "no id", "…").replaceAll(/value="[^"]*"/g, ""));
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
  expect([await statusOf(owner.email, "wrong", browser), await statusOf(owner.email, PASSWORD, browser)]).toEqual([400, 303]);
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
