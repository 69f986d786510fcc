import { expect, test } from "vitest";
import { consoleClientSecret, consoleRedirectUri } from "./console-client.ts";

// The console derives the same values by itself, since it imports no server code; its own test holds them too.
test("the console's client secret follows from GATEHOUSE_SECRET", () => {
  expect(consoleClientSecret("0123456789abcdef0123456789abcdef")).toBe("gcs_tOwnvP8ZHjaVjIT_2lsCuMJg2aCdZYs8SEY-EmuMde0");
});

test("the console comes back to its own /auth/callback", () => {
  expect(consoleRedirectUri("http://localhost:3001")).toBe("http://localhost:3001/auth/callback");
});
