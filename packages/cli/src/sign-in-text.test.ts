import type { SignInView } from "@gatehouse/console/sign-ins/sign-ins";
import { expect, test } from "vitest";
import { signInText } from "./sign-in-text.ts";

const SIGN_IN: SignInView = {
  id: "0uWAB4",
  at: 1_800_000_000,
  outcome: "failed",
  cause: "totp_clock",
  meaning: { explanation: "The clock is off.", howToFix: "Set the time automatically.", actor: "user" },
  factor: "second_step",
  level: null,
  user: { id: "usr_1", name: "Ada", email: "ada@example.com" },
  typedEmail: null,
  client: { clientId: "shop", applicationId: "a", applicationName: "Shop", name: "Web", environment: "production" },
  address: "203.0.113.7",
  userAgent: "Browser\u001b[2J",
  detail: { provider: "corp" },
};

test("SL-04 says who, why and what to do, without control characters of the browser", () => {
  const text = signInText(SIGN_IN, "https://console.example/go/0uWAB4");
  for (const part of [
    "Sign-in 0uWAB4",
    "2027-01-15 08:00:00 UTC",
    "ada@example.com (usr_1)",
    "totp_clock. The clock is off.",
    "Set the time automatically.",
    "the user",
    "Shop",
    "203.0.113.7",
    "corp",
    "https://console.example/go/0uWAB4",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("\u001b");
});

test("SL-04 a sign-in that succeeded has nothing to fix, and an address without an account is said as such", () => {
  const text = signInText(
    { ...SIGN_IN, outcome: "signed_in", cause: null, meaning: null, user: null, typedEmail: "nobody@example.com" },
    "link",
  );
  expect(text).toContain("nobody@example.com (no account)");
  expect(text).not.toMatch(/Cause|fix/);
});
