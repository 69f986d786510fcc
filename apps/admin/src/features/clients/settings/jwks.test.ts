import { expect, test } from "vitest";
import { defaultSettings } from "../client-types.ts";
import { checkKeys, readKeySet } from "./jwks.ts";

const KEY = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

test.each([
  ["a key set", { keys: [KEY] }],
  ["one key", KEY],
  ["a list of keys", [KEY]],
])("%s is read as a key set", (_, pasted) => {
  expect(readKeySet(JSON.stringify(pasted))).toEqual({ keys: [KEY] });
});

test.each(["", "{", "[1]", '{"keys":[{}]}', "-----BEGIN PUBLIC KEY-----"])("%j is refused as no key set", (pasted) => {
  expect(readKeySet(pasted)).toMatch(/no key set/);
});

test.each([
  { ...KEY, d: "secret" },
  { kty: "oct", k: "secret" },
])("a private or symmetric key is named: %o", (key) => {
  expect(readKeySet(JSON.stringify({ keys: [key] }))).toMatch(/private key/);
});

test("text that is no set of public keys keeps the form from being sent", () => {
  const withText = { ...defaultSettings("web"), options: { jwks: '{"kty":"EC","d":"secret"}' as never } };
  expect(checkKeys(withText)).toEqual({ "options.jwks": expect.stringMatching(/private key/) });
  expect(checkKeys({ ...defaultSettings("web"), options: { jwks: { keys: [KEY] } } })).toEqual({});
});
