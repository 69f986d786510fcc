import { describe, expect, test } from "vitest";
import type { SignInMethods } from "../store/sign-in-methods.ts";
import { isLastSignInMethod, type Removal } from "./last-way-in.ts";

const NONE: SignInMethods = {
  signInEpoch: 0,
  password: false,
  passkeys: [],
  securityKeys: [],
  identities: [],
  emailVerified: true,
  totp: true,
};
const password: Removal = { kind: "password" };
const passkey: Removal = { kind: "passkey", id: "key" };
const identity: Removal = { kind: "identity", id: "linked" };

describe("WA-12 N61 the last way in", () => {
  test.each<[string, Removal, Partial<SignInMethods>, boolean]>([
    ["the only password", password, { password: true }, true],
    ["the only passkey", passkey, { passkeys: ["key"] }, true],
    ["the only identity", identity, { identities: ["linked"] }, true],
    ["a password beside a passkey", password, { password: true, passkeys: ["key"] }, false],
    ["a password beside an identity", password, { password: true, identities: ["linked"] }, false],
    [
      "a passkey beside a security key, which is no first factor",
      passkey,
      { passkeys: ["key"], securityKeys: ["other"] },
      true,
    ],
    ["a passkey beside a password", passkey, { password: true, passkeys: ["key"] }, false],
    ["one of two passkeys", passkey, { passkeys: ["key", "other"] }, false],
    ["one of two identities", identity, { identities: ["linked", "other"] }, false],
    ["an identity beside a passkey of the same id", identity, { identities: ["linked"], passkeys: ["linked"] }, false],
    ["a passkey that lets nobody in, such as one of another domain", passkey, { passkeys: ["other"] }, false],
    ["an identity of a provider that is switched off", identity, { password: true }, false],
  ])("%s", (_, removed, ways, last) => {
    expect(isLastSignInMethod(removed, { ...NONE, ...ways }, { emailSignIn: false })).toBe(last);
  });

  test.each([password, passkey, identity])(
    "mailed codes are a way in if they are on and the address is verified (%j)",
    (removed) => {
      const ways = {
        ...NONE,
        password: removed === password,
        passkeys: removed === passkey ? ["key"] : [],
        identities: removed === identity ? ["linked"] : [],
      };
      expect(isLastSignInMethod(removed, ways, { emailSignIn: true })).toBe(false);
      expect(isLastSignInMethod(removed, { ...ways, emailVerified: false }, { emailSignIn: true })).toBe(true);
    },
  );
});
