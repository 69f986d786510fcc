import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { mintId, mintOrderedId, mintSecret, PREFIX, sameText, sha256, storedAs } from "./secret.ts";

const KINDS = Object.keys(PREFIX) as (keyof typeof PREFIX)[];

describe("generated secrets, OAuth 2.1 §7.7", () => {
  test.each(KINDS)("SE-05 CA-03 AC-07 a secret of kind %s has 256 bits, all of them unreserved characters", (kind) => {
    const asked: number[] = [];
    const { secret } = mintSecret(kind, (length) => {
      asked.push(length);
      return randomBytes(length);
    });
    expect(asked).toEqual([32]);
    expect(secret).toMatch(/^g[a-z]{2}_[A-Za-z0-9_-]{43,50}$/);
    expect(secret.startsWith(PREFIX[kind])).toBe(true);
  });

  test("SE-05 every byte of the randomness counts", () => {
    const secrets = Array.from({ length: 32 }, (_, at) => mintSecret("accessToken", () => new Uint8Array(32).fill(1, at, at + 1)).secret);
    expect(new Set(secrets).size).toBe(32);
  });

  test.each(["accessToken", "refreshToken", "authorizationCode"] as const)(
    "D7 the rows of kind %s lie in the order in which they were minted",
    (kind) => {
      vi.useFakeTimers();
      const minted = [1_700_000_000_000, 1_700_000_000_001, 1_700_000_000_064, 1_899_999_999_999].map((at) => {
        vi.setSystemTime(at);
        return mintSecret(kind, randomBytes);
      });
      vi.useRealTimers();
      expect(minted.map(({ hash }) => hash).toSorted()).toEqual(minted.map(({ hash }) => hash));
      for (const { secret, hash } of minted) {
        expect(storedAs(secret)).toBe(hash);
        expect(hash.endsWith(sha256(secret))).toBe(true); // all of it is hashed: the order in front gives nothing away but the time
      }
    },
  );

  test("SE-06 what is stored is its SHA-256, which does not contain it", () => {
    const { secret, hash } = mintSecret("clientSecret", randomBytes);
    expect(hash).toBe(sha256(secret));
    expect(hash).not.toContain(secret.slice(PREFIX.clientSecret.length));
  });

  test("SE-18 a row id is drawn by us, 128 bits in 22 characters", () => {
    expect(mintId(randomBytes)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  test("SE-18 a row id in order is drawn by us as well, with 96 random bits", () => {
    const asked: number[] = [];
    const id = mintOrderedId((length) => {
      asked.push(length);
      return randomBytes(length);
    });
    expect(asked).toEqual([12]);
    expect(id).toMatch(/^[A-Za-z0-9_-]{23}$/);
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
