import { expect, test } from "vitest";
import { z } from "zod";
import { passkeyVariables, readPasskeySettings } from "./passkey-settings.ts";

const schema = z.object(passkeyVariables);
const read = (variables: Record<string, string>, issuer = "https://id.example.com") =>
  readPasskeySettings(schema.parse(variables), issuer).passkeys;

test("WA-01 the RP ID is the issuer's host unless a parent domain is named", () => {
  expect(read({})?.rpId).toBe("id.example.com");
  expect(read({ GATEHOUSE_WEBAUTHN_RP_ID: "Example.com" })?.rpId).toBe("example.com");
});

test.each(["other.com", "com", "login.id.example.com", "https://id.example.com"])("WA-01 %s as the RP ID is refused by name", (rpId) => {
  expect(() => read({ GATEHOUSE_WEBAUTHN_RP_ID: rpId })).toThrow(/GATEHOUSE_WEBAUTHN_RP_ID must be id\.example\.com/);
});

test("WA-01 passkeys are off where the issuer is an IP address", () => {
  expect(read({}, "http://127.0.0.1:3000")).toBeNull();
  expect(() => read({ GATEHOUSE_WEBAUTHN_RP_ID: "127.0.0.1" }, "http://127.0.0.1:3000")).toThrow("GATEHOUSE_WEBAUTHN_RP_ID");
});

test("WA-02 related origins are https origins, five at most", () => {
  const origins = (value: string) => read({ GATEHOUSE_WEBAUTHN_ORIGINS: value })?.relatedOrigins;
  expect(origins("https://shop.example, https://blog.example:8443,")).toEqual(["https://shop.example", "https://blog.example:8443"]);
  expect(() => origins("http://shop.example")).toThrow("https origins");
  expect(() => origins("https://shop.example/path")).toThrow("https origins");
  expect(() => origins(Array.from({ length: 6 }, (_, index) => `https://shop${index}.example`).join(","))).toThrow("at most 5");
});
