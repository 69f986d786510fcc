import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";

describe("recovery codes, MF-05", () => {
  test("MF-05 eight codes of 24 base32 characters, of which only hashes are stored", () => {
    const { codes, hashes } = newRecoveryCodes(randomBytes);
    expect(codes).toHaveLength(8);
    expect(new Set(codes).size).toBe(8);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect(codes.map(recoveryCodeHash)).toEqual(hashes);
  });

  test("MF-05 case, spaces and dashes do not matter", () => {
    const { codes, hashes } = newRecoveryCodes(randomBytes);
    const [code = ""] = codes;
    for (const typed of [
      code.toLowerCase(),
      code.replaceAll("-", " "),
      code.replaceAll("-", ""),
      `\t${code.replaceAll("-", "–")}\n`,
    ]) {
      expect(recoveryCodeHash(typed)).toBe(hashes[0]);
    }
  });

  test("MF-05 nor does a keyboard that types full-width characters", () => {
    const { codes, hashes } = newRecoveryCodes(randomBytes);
    const wide = (codes[0] ?? "").replace(/[!-~]/g, (character) =>
      String.fromCharCode(character.charCodeAt(0) + 0xfee0),
    );
    expect(recoveryCodeHash(wide)).toBe(hashes[0]);
  });

  test.each(["", "123456", "A".repeat(23), "A".repeat(25), "1".repeat(24), "ſ".repeat(24)])(
    "anything else is no code: %j",
    (typed) => {
      expect(recoveryCodeHash(typed)).toBeUndefined();
    },
  );
});
