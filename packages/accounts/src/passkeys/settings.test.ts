import { expect, test } from "vitest";
import { isRpIdOf, passkeySettings } from "./settings.ts";

test("WA-01 the RP ID is the issuer's host, and the origin the issuer", () => {
  expect(passkeySettings("https://id.example.com")).toEqual({
    rpId: "id.example.com",
    origin: "https://id.example.com",
    relatedOrigins: [],
  });
  expect(passkeySettings("http://localhost:3000")).toMatchObject({
    rpId: "localhost",
    origin: "http://localhost:3000",
  });
});

test.each(["http://127.0.0.1:3000", "http://[::1]:3000", "https://203.0.113.7"])(
  "WA-01 passkeys are off at %s",
  (issuer) => {
    expect(passkeySettings(issuer)).toBeNull();
  },
);

test.each([
  ["id.example.com", true],
  ["example.com", true],
  ["com", false],
  ["other.com", false],
  ["ample.com", false],
  ["login.id.example.com", false],
  [".example.com", false],
  ["EXAMPLE.com", false],
])("WA-01 %s as the RP ID of https://id.example.com: %s", (rpId, allowed) => {
  expect(isRpIdOf(rpId, "https://id.example.com")).toBe(allowed);
});
