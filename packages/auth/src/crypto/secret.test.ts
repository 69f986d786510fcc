import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  constantTimeEqual,
  idOfHash,
  mintAccessToken,
  mintId,
  mintSecret,
  mintTimeOrdered,
  mintTimeOrderedId,
  PREFIX,
  sha256,
  storageHash,
  timeOfId,
  timeOrderedIdsFrom,
} from "./secret.ts";

const IN_ORDER = ["authorizationCode"] as const;
const OTHERS = [
  "apiToken",
  "deviceCode",
  "clientSecret",
  "session",
  "initialAccessToken",
  "invitation",
  "registrationToken",
  "mailedToken",
] as const;

describe("generated secrets, OAuth 2.1 §7.7", () => {
  const asked: number[] = [];
  const random = (length: number) => {
    asked.push(length);
    return randomBytes(length);
  };
  const clock = { now: () => 1_700_000_000, random };
  const mints = [
    ["accessToken", () => mintAccessToken(1_700_000_600, random), /^gat_[A-Za-z0-9_-]{52}$/] as const,
    ...IN_ORDER.map((kind) => [kind, () => mintTimeOrdered(kind, clock), /^g[a-z]{2}_[A-Za-z0-9_-]{52}$/] as const),
    ...OTHERS.map((kind) => [kind, () => mintSecret(kind, random), /^g[a-z]{2}_[A-Za-z0-9_-]{43}$/] as const),
  ];

  test.each(mints)(
    "SE-05 CA-03 AC-07 a secret of kind %s has 256 bits in unreserved characters",
    (kind, mint, form) => {
      asked.length = 0;
      const { secret, hash } = mint();
      expect(asked).toEqual([32]);
      expect(secret).toMatch(form);
      expect(secret.startsWith(PREFIX[kind])).toBe(true);
      expect(storageHash(secret)).toBe(hash);
    },
  );

  test("there are no other kinds", () => {
    const ofFamily = "refreshToken"; // see tokens/refresh-token.test.ts
    expect(["accessToken", ofFamily, ...IN_ORDER, ...OTHERS].toSorted()).toEqual(Object.keys(PREFIX).toSorted());
  });

  test("SE-05 every random byte changes the secret", () => {
    const one = (at: number) =>
      mintAccessToken(1_700_000_600, () => new Uint8Array(32).fill(1, at, at + 1)).secret.slice(-43);
    expect(new Set(Array.from({ length: 32 }, (_, at) => one(at))).size).toBe(32);
  });

  test.each(IN_ORDER)("D7 secrets of kind %s sort by time", (kind) => {
    const seconds = [1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_001, 1_700_000_064, 1_899_999_999];
    const minted = seconds.map((second) => mintTimeOrdered(kind, { now: () => second, random: randomBytes }));
    expect(minted.map(({ hash }) => hash).toSorted()).toEqual(minted.map(({ hash }) => hash));
    // The whole secret is hashed: the prefix reveals only the time.
    for (const { secret, hash } of minted) expect(hash.endsWith(sha256(secret))).toBe(true);
  });

  test("D7 access tokens sort by expiry, whatever was minted in between, and those of one second by a counter", () => {
    const expiries = [1_700_000_600, 1_700_000_060, 1_700_000_600, 1_700_000_600, 1_700_000_060];
    const minted = expiries.map((expiresAt) => ({ expiresAt, ...mintAccessToken(expiresAt, randomBytes) }));
    const inOrder = minted.toSorted((a, b) => a.expiresAt - b.expiresAt).map(({ hash }) => hash);
    expect(minted.map(({ hash }) => hash).toSorted()).toEqual(inOrder);
    for (const { expiresAt, secret, hash } of minted) {
      expect(hash.endsWith(sha256(secret))).toBe(true);
      expect(timeOfId(hash)).toBe(expiresAt);
      expect([hash >= timeOrderedIdsFrom(expiresAt), hash < timeOrderedIdsFrom(expiresAt + 1)]).toEqual([true, true]);
    }
  });

  test("SE-18 an id of 132 bits is part of a hash, without its time", () => {
    const { secret, hash } = mintAccessToken(1_700_000_600, randomBytes);
    expect(idOfHash(hash)).toBe(sha256(secret).slice(0, 22));
    expect(idOfHash(sha256("x"))).toBe(sha256("x").slice(0, 22));
  });

  test.each([
    [
      "its expiry and the counter in its id",
      '{"exp":1700000600,"jti":"abcdefghijklm","iss":"https://gate.example"}',
      "ghi",
    ],
    ["nothing but its hash if it is no access token", '{"iss":"https://gate.example","exp":1700000600}', undefined],
    ["nothing but its hash if its expiry is no number", '{"exp":"1700000600","jti":"abcdefghijklm"}', undefined],
    ["nothing but its hash if it has no claims", "", undefined],
  ])("D7 JT-01 a JWT is stored under %s", (_, claims, counter) => {
    const jwt = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(claims).toString("base64url")}.c2lnbmF0dXJl`;
    const prefix = counter === undefined ? "" : timeOrderedIdsFrom(1_700_000_600) + counter;
    expect(storageHash(jwt)).toBe(prefix + sha256(jwt));
  });

  test("SE-06 the stored hash is its SHA-256", () => {
    const { secret, hash } = mintSecret("clientSecret", randomBytes);
    expect(hash).toBe(sha256(secret));
    expect(hash).not.toContain(secret.slice(PREFIX.clientSecret.length));
  });

  test("SE-18 a row id is drawn by us, 128 bits in 22 characters", () => {
    expect(mintId(randomBytes)).toMatch(/^[A-Za-z0-9_-]{22}$/);
    for (let first = 0; first < 256; first++)
      expect(mintId((length) => new Uint8Array(length).fill(first))).toMatch(/^[A-Za-z0-9]/);
  });

  test("SE-18 a time-ordered id has 96 random bits", () => {
    asked.length = 0;
    expect(mintTimeOrderedId(clock)).toMatch(/^[A-Za-z0-9_-]{25}$/);
    expect(asked).toEqual([12]);
  });

  test.each([
    ["same", "same", true],
    ["same", "sama", false],
    ["same", "same ", false],
    ["", "", true],
    ["é", "e\u0301", false],
  ])("%j and %j are the same text: %s", (a, b, same) => {
    expect(constantTimeEqual(a, b)).toBe(same);
  });
});
