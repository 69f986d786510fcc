import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { mintId, mintSecret, PREFIX, sameText, sha256 } from "./secret.ts";

const KINDS = Object.keys(PREFIX) as (keyof typeof PREFIX)[];

describe("generated secrets, OAuth 2.1 §7.7", () => {
  test.each(KINDS)("SE-05 CA-03 AC-07 a secret of kind %s has 256 bits, all of them unreserved characters", (kind) => {
    const asked: number[] = [];
    const { secret } = mintSecret(kind, (length) => {
      asked.push(length);
      return randomBytes(length);
    });
    expect(asked).toEqual([32]);
    expect(secret).toMatch(/^g[a-z]{2}_[A-Za-z0-9_-]{43}$/);
    expect(secret.startsWith(PREFIX[kind])).toBe(true);
  });

  test("SE-05 every byte of the randomness counts", () => {
    const secrets = Array.from({ length: 32 }, (_, at) => mintSecret("accessToken", () => new Uint8Array(32).fill(1, at, at + 1)).secret);
    expect(new Set(secrets).size).toBe(32);
  });

  test("SE-06 what is stored is its SHA-256, which does not contain it", () => {
    const { secret, hash } = mintSecret("clientSecret", randomBytes);
    expect(hash).toBe(sha256(secret));
    expect(hash).not.toContain(secret.slice(PREFIX.clientSecret.length));
  });

  test("SE-18 a row id is drawn by us, 128 bits in 22 characters", () => {
    expect(mintId(randomBytes)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  test.each([
    ["same", "same", true],
    ["same", "sama", false],
    ["same", "same ", false],
    ["", "", true],
    ["é", "e\u0301", false],
  ])("%j and %j are the same text: %s", (a, b, same) => {
    expect(sameText(a, b)).toBe(same);
  });
});
