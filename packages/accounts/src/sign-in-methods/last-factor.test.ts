import type { Role } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import type { SignInMethods } from "../store/sign-in-methods.ts";
import { type FactorRemoval, isLastRequiredFactor } from "./last-factor.ts";

const NONE: Pick<SignInMethods, "totp" | "passkeys" | "securityKeys"> = { totp: false, passkeys: [], securityKeys: [] };
const app: FactorRemoval = { kind: "totp" };
const key: FactorRemoval = { kind: "passkey", id: "key" };

describe("MF-09 N61 the last second factor", () => {
  const config = { secondFactor: { everybody: false, roles: ["admin"] as Role[] } };

  test.each<[string, FactorRemoval, Partial<SignInMethods>, boolean]>([
    ["the only app", app, { totp: true }, true],
    ["the only passkey", key, { passkeys: ["key"] }, true],
    ["the only security key", key, { securityKeys: ["key"] }, true],
    ["an app beside a passkey", app, { totp: true, passkeys: ["key"] }, false],
    ["an app beside a security key", app, { totp: true, securityKeys: ["key"] }, false],
    ["a passkey beside an app", key, { totp: true, passkeys: ["key"] }, false],
    ["one of two keys", key, { passkeys: ["key"], securityKeys: ["other"] }, false],
    ["a passkey of another domain, which works no more", key, { totp: true }, false],
    ["a passkey of another domain beside the only one that works", key, { passkeys: ["other"] }, false],
    ["an app that is gone already", app, { passkeys: ["key"] }, false],
  ])("%s", (_, removed, ways, last) => {
    expect(isLastRequiredFactor(removed, { ...NONE, ...ways }, "admin", config)).toBe(last);
    expect(isLastRequiredFactor(removed, { ...NONE, ...ways }, "user", config)).toBe(false);
    expect(
      isLastRequiredFactor(removed, { ...NONE, ...ways }, "user", { secondFactor: { everybody: true, roles: [] } }),
    ).toBe(last);
  });
});
