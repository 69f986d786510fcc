import { expect, test } from "vitest";
import { commonPasswords, isCommonPassword } from "./blocklist.ts";
import { createPasswordRules } from "./rules.ts";

test("PW-03 at least 3,000 entries reach the length of a chosen password", () => {
  expect([...commonPasswords()].filter((entry) => [...entry].length >= 15).length).toBeGreaterThanOrEqual(3000);
});

test.each(["password1234567890", "FOOTBALL123456789", "monkeypassword123", "correcthorsebatterystaple"])(
  "PW-03 %s is common, in any case",
  async (password) => {
    const rules = createPasswordRules({ names: async () => [] });
    expect(await rules.problemsOf(password, { email: "ada@example.com" })).toEqual([{ code: "common" }]);
  },
);

test("PW-03 a few random words are not", () => {
  for (const password of ["correct horse battery", "plum violin kayak", "a long enough password"])
    expect(isCommonPassword(password)).toBe(false);
});
