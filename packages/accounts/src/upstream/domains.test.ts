import type { Role } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import type { FirstFactor } from "../gate/first-factor.ts";
import { providerInsteadOf } from "./domains.ts";

const PROVIDERS = [
  { id: "google", enabled: true, settings: {} },
  { id: "corp", enabled: true, settings: { domains: ["corp.example"] } },
];
const WAYS: Record<string, FirstFactor> = {
  password: { method: "password" },
  passkey: { method: "passkey", credentialId: "key" },
  "mailed code": { method: "email_code" },
  "sign-up": { method: "sign_up" },
  invitation: { method: "invitation" },
  "another provider": { method: "upstream", provider: "google", acr: null, amr: [], authTime: null },
  "the provider": { method: "upstream", provider: "corp", acr: null, amr: [], authTime: null },
};

describe("UP-10 an address of a provider's domain signs in there, whatever the way", () => {
  test.each<[string, Role, boolean]>([
    ...Object.keys(WAYS).map((way): [string, Role, boolean] => [way, "user", way !== "the provider"]),
    ...Object.keys(WAYS).map((way): [string, Role, boolean] => [
      way,
      "admin",
      way !== "the provider" && way !== "passkey",
    ]),
    ["passkey", "developer", true],
  ])("%s of a %s: %s", (way, role, leaves) => {
    const factor = WAYS[way] ?? { method: "password" };
    const bound = { email: "ada@corp.example", role };
    expect(providerInsteadOf(factor, bound, PROVIDERS, undefined)?.id).toBe(leaves ? "corp" : undefined);
    expect(providerInsteadOf(factor, bound, PROVIDERS, "google")?.id).toBe(leaves ? "corp" : undefined);
    expect(providerInsteadOf(factor, { email: "ada@other.example", role }, PROVIDERS, undefined)).toBeUndefined();
    // UP-08: the sign-in that proves the account to which an identity of the provider is connected.
    expect(providerInsteadOf(factor, bound, PROVIDERS, "corp")).toBeUndefined();
  });

  test("a provider that is switched off demands nothing", () => {
    const off = [{ id: "corp", enabled: false, settings: { domains: ["corp.example"] } }];
    expect(
      providerInsteadOf({ method: "password" }, { email: "ada@corp.example", role: "user" }, off, undefined),
    ).toBeUndefined();
  });
});
