import { expect, test } from "vitest";
import { secretHint } from "./secret-hint.ts";

test.each([
  ["gcs_0123456789abcdef", "cdef"],
  ["abcdefghijkl", "ijkl"],
  ["abcdefghijk", "ijk"],
  ["abcdef", "ef"],
  ["abc", "c"],
  ["ab", ""],
  ["whsec_abcdef", "ef"],
  ["whsec_ab", ""],
  ["", ""],
])("CO-58 the hint of %j is %j: at most four characters, and at most a third of what is secret", (secret, hint) => {
  expect(secretHint(secret)).toBe(hint);
});
