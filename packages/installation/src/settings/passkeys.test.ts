import { expect, test } from "vitest";
import { z } from "zod";
import { passkeyVariables, readPasskeySettings } from "./passkeys.ts";

const schema = z.object(passkeyVariables);
const read = (variables: Record<string, string>, issuer = "https://id.example.com") =>
  readPasskeySettings(schema.parse(variables), issuer).passkeys;

test("WA-01 the RP ID is the issuer's host unless a parent domain is named", () => {
  expect(read({})?.rpId).toBe("id.example.com");
  expect(read({ GATEHOUSE_WEBAUTHN_RP_ID: "Example.com" })?.rpId).toBe("example.com");
});

test.each(["other.com", "com", "login.id.example.com", "https://id.example.com"])(
  "WA-01 %s as the RP ID is refused by name",
  (rpId) => {
    expect(() => read({ GATEHOUSE_WEBAUTHN_RP_ID: rpId })).toThrow(/GATEHOUSE_WEBAUTHN_RP_ID must be id\.example\.com/);
  },
);

test.each([
  ["co.uk", "https://id.co.uk"],
  ["co.uk", "https://login.gate.co.uk"],
  ["vercel.app", "https://gate.vercel.app"],
])("WA-01 %s, under which anybody can get a name, is refused as the RP ID of %s", (rpId, issuer) => {
  expect(() => read({ GATEHOUSE_WEBAUTHN_RP_ID: rpId }, issuer)).toThrow(`must not be ${rpId}`);
});

test("WA-01 the issuer's host itself is accepted, and so is the domain that its owner registered", () => {
  expect(read({ GATEHOUSE_WEBAUTHN_RP_ID: "gate.vercel.app" }, "https://gate.vercel.app")?.rpId).toBe(
    "gate.vercel.app",
  );
  expect(read({ GATEHOUSE_WEBAUTHN_RP_ID: "gate.co.uk" }, "https://login.gate.co.uk")?.rpId).toBe("gate.co.uk");
  expect(read({ GATEHOUSE_WEBAUTHN_RP_ID: "localhost" }, "http://localhost:3000")?.rpId).toBe("localhost");
});

test("WA-01 passkeys are off where the issuer is an IP address", () => {
  expect(read({}, "http://127.0.0.1:3000")).toBeNull();
  expect(() => read({ GATEHOUSE_WEBAUTHN_RP_ID: "127.0.0.1" }, "http://127.0.0.1:3000")).toThrow(
    "GATEHOUSE_WEBAUTHN_RP_ID",
  );
});

test("WA-02 related origins are https origins, five at most", () => {
  const origins = (value: string) => read({ GATEHOUSE_WEBAUTHN_ORIGINS: value })?.relatedOrigins;
  expect(origins("https://shop.example, https://blog.example:8443,")).toEqual([
    "https://shop.example",
    "https://blog.example:8443",
  ]);
  expect(() => origins("http://shop.example")).toThrow("https origins");
  expect(() => origins("https://shop.example/path")).toThrow("https origins");
  expect(() => origins(Array.from({ length: 6 }, (_, index) => `https://shop${index}.example`).join(","))).toThrow(
    "at most 5",
  );
});
