import { afterAll, beforeAll, expect, test } from "vitest";
import { openPages, PASSWORD, type Pages } from "../testing/pages.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());

const LIKE = "Enter an email address like name@example.com.";

test("a browser never checks an email address, which it does more narrowly than the server", async () => {
  const browser = pages.newBrowser();
  await browser.post("/sign-up", { name: "Ada", email: "fields@example.com", password: PASSWORD });
  let found = 0;
  for (const path of ["/sign-in", "/sign-up", "/forgot-password", "/account/email"]) {
    for (const [form] of (await browser.get(path)).html.matchAll(/<form[\s\S]*?<\/form>/g)) {
      if (!form.includes('type="email"')) continue;
      found++;
      expect(form, path).toMatch(/^<form[^>]* novalidate/);
    }
  }
  expect(found).toBeGreaterThanOrEqual(3);
});

test("josé@example.com signs up and in", async () => {
  const email = "josé@example.com";
  expect((await pages.newBrowser().post("/sign-up", { name: "José", email, password: PASSWORD })).location).toBe(
    "/account",
  );
  expect((await pages.newBrowser().post("/sign-in", { email, password: PASSWORD })).location).toBe("/account");
});

test.each([
  ["/sign-in", { email: "jose", password: PASSWORD }, LIKE],
  ["/sign-in", { email: "", password: "" }, LIKE],
  ["/sign-in", { email: "jose@example.com", password: "" }, "Enter your password."],
  ["/sign-up", { name: "José", email: "jose@", password: PASSWORD }, LIKE],
  ["/sign-up", { name: "", email: "", password: "" }, "problem"],
])("%s says what is wrong with %j", async (path, fields, words) => {
  const answer = await pages.newBrowser().post(path, fields);
  expect([answer.response.status, answer.html.includes(words)]).toEqual([400, true]);
});
