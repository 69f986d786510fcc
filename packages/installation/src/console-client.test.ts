import { expect, test } from "vitest";
import { consoleClientSecret, consoleCookieKey, consoleRedirectUri } from "./console-client.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

// The console's start command derives the same values itself, because it imports no server code. Its own test checks
// them too.
test("the console's two keys are derived from GATEHOUSE_SECRET", () => {
  expect(consoleClientSecret(SECRET)).toBe("gcs_tOwnvP8ZHjaVjIT_2lsCuMJg2aCdZYs8SEY-EmuMde0");
  expect(consoleCookieKey(SECRET)).toBe("RE4_3bh30-SbnQ-mnvfUGaa1IMuze_fYc5nMRDgGNg0");
});

test("the console's redirect URI is its /auth/callback", () => {
  expect(consoleRedirectUri("http://localhost:3001")).toBe("http://localhost:3001/auth/callback");
});
