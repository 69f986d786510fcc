import { expect, test } from "vitest";
import { consoleClientSecret, consoleCookieKey, consoleRedirectUri } from "./console-client.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

// The console's start command derives the same values by itself, since it imports no server code; its own test holds them too.
test("the console's two keys follow from GATEHOUSE_SECRET", () => {
  expect(consoleClientSecret(SECRET)).toBe("gcs_tOwnvP8ZHjaVjIT_2lsCuMJg2aCdZYs8SEY-EmuMde0");
  expect(consoleCookieKey(SECRET)).toBe("RE4_3bh30-SbnQ-mnvfUGaa1IMuze_fYc5nMRDgGNg0");
});

test("the console comes back to its own /auth/callback", () => {
  expect(consoleRedirectUri("http://localhost:3001")).toBe("http://localhost:3001/auth/callback");
});
