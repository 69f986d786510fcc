import { expect, test } from "vitest";
import { passkeyName, readPasskeyName } from "./names.ts";

test.each([
  ["ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"],
  ["BADA5566-A7AA-401F-BD96-45619A55120D", "1Password"],
  ["00000000-0000-0000-0000-000000000000", "Firefox on Linux"],
])("WA-09 a passkey of provider %s is called %s", (aaguid, name) => {
  expect(passkeyName(aaguid, "Firefox on Linux")).toBe(name);
});

test.each([
  ["  My phone ", "My phone"],
  ["a\nb\u2028c", "a b c"],
  ["x".repeat(60), "x".repeat(60)],
  ["🔑".repeat(60), "🔑".repeat(60)],
  ["x".repeat(61), undefined],
  ["   ", undefined],
  ["", undefined],
])("WA-09 a typed name is one line of at most 60 characters (%j)", (typed, name) => {
  expect(readPasskeyName(typed)).toBe(name);
});
