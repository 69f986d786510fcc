import { randomBytes } from "node:crypto";
import { Secret, TOTP, URI } from "otpauth";
import { describe, expect, test } from "vitest";
import { fromBase32, toBase32 } from "./base32.ts";
import { matchTotp, newTotpSecret, totpCode, totpLink, totpStep } from "./totp.ts";

describe("authenticator apps, MF-03 and MF-04", () => {
  // RFC 6238 Appendix B, SHA-1: the last six of its eight digits.
  const vector = Buffer.from("12345678901234567890");
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("MF-03 the code at %d is that of RFC 6238", (now, code) => {
    expect(totpCode(vector, totpStep(now))).toBe(code);
    expect(matchTotp(vector, code, { now, lastStep: 0 })).toBe(totpStep(now));
  });

  test("MF-03 an independent implementation reads the link and makes the same codes", () => {
    const secret = newTotpSecret(randomBytes);
    const parsed = URI.parse(totpLink(secret, { issuer: "Acme & Söhne", account: "ada+test@example.com" })) as TOTP;
    expect(parsed).toBeInstanceOf(TOTP);
    expect([parsed.issuer, parsed.label]).toEqual(["Acme & Söhne", "ada+test@example.com"]);
    expect([parsed.algorithm, parsed.digits, parsed.period, parsed.secret.bytes.length]).toEqual(["SHA1", 6, 30, 20]);
    for (const now of [0, 1_700_000_000, 1_700_000_029, 1_700_000_030]) {
      expect(totpCode(secret, totpStep(now))).toBe(parsed.generate({ timestamp: now * 1000 }));
    }
  });

  const now = 1_700_000_010;
  const step = totpStep(now);
  test.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("N53 the code of step %d: accepted is %s", (offset, accepted) => {
    expect(matchTotp(vector, totpCode(vector, step + offset), { now, lastStep: 0 })).toBe(
      accepted ? step + offset : undefined,
    );
  });

  test("N52 MF-04 a step that was accepted, or an earlier one, is not accepted again", () => {
    const code = totpCode(vector, step);
    expect(matchTotp(vector, code, { now, lastStep: step })).toBeUndefined();
    expect(matchTotp(vector, totpCode(vector, step - 1), { now, lastStep: step })).toBeUndefined();
    expect(matchTotp(vector, totpCode(vector, step + 1), { now, lastStep: step })).toBe(step + 1);
  });

  test.each(["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "💥💥💥"])("anything else is no code: %j", (typed) => {
    expect(matchTotp(vector, typed, { now, lastStep: 0 })).toBeUndefined();
  });

  test("base32 agrees with an independent implementation, in both directions", () => {
    for (let length = 0; length < 40; length++) {
      const bytes = new Uint8Array(randomBytes(length));
      expect(toBase32(bytes)).toBe(new Secret({ buffer: bytes.buffer }).base32);
      expect(fromBase32(toBase32(bytes).toLowerCase())).toEqual(bytes);
    }
    expect(fromBase32("A1")).toBeUndefined();
  });
});
