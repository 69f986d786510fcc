import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSeal, keyIdOf, keyIdOfSealed, sealHeader } from "./seal.ts";

const SECRET = "a secret of at least thirty-two bytes";
const seal = createSeal(SECRET, randomBytes);

describe("sealed values, AZ-31 D15", () => {
  test.each(["", "a", "state=é&scope=api:read", "x".repeat(8000)])("SE-06 opens to the sealed value: %j", (value) => {
    const sealed = seal.seal("pending request", value);
    expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(seal.open("pending request", sealed)).toBe(value);
  });

  test("AZ-36 reveals nothing about its content, and differs each time", () => {
    const sealed = [seal.seal("p", "the challenge"), seal.seal("p", "the challenge")];
    expect(new Set(sealed).size).toBe(2);
    for (const text of sealed) expect(Buffer.from(text, "base64url").toString("latin1")).not.toContain("challenge");
  });

  const whole = seal.seal("pending request", "scope=api:read");
  test.each([
    ["every byte altered in turn", Array.from({ length: whole.length }, (_, at) => flip(whole, at))],
    ["cut short at any length", Array.from({ length: whole.length }, (_, at) => whole.slice(0, at))],
    ["longer", [`${whole}AAAA`]],
    ["foreign", ["", "%%%", "AAAA", "x".repeat(200)]],
  ])("AZ-31 does not open when %s", (_, altered) => {
    for (const sealed of altered) expect(seal.open("pending request", sealed)).toBeUndefined();
  });

  test("AZ-31 does not open for another purpose or under another key", () => {
    expect(seal.open("pending consent", whole)).toBeUndefined();
    expect(createSeal(`${SECRET}!`, randomBytes).open("pending request", whole)).toBeUndefined();
  });
});

describe("rotation of the secret, OP-15", () => {
  const OLD = "the old secret of at least thirty-two bytes";
  const before = createSeal(OLD, randomBytes);
  const during = createSeal(SECRET, randomBytes, [OLD]);

  test("what the previous secret sealed opens; what is sealed from now on needs the current one alone", () => {
    expect(during.open("p", before.seal("p", "old"))).toBe("old");
    expect(seal.open("p", during.seal("p", "new"))).toBe("new");
    expect(before.open("p", during.seal("p", "new"))).toBeUndefined();
    expect(seal.open("p", before.seal("p", "old"))).toBeUndefined();
  });

  test("a process that knows the next secret already opens what it seals, and still seals with its own", () => {
    const prepared = createSeal(OLD, randomBytes, [SECRET]);
    expect(prepared.open("p", seal.seal("p", "new"))).toBe("new");
    expect(before.open("p", prepared.seal("p", "old"))).toBe("old");
  });

  test("the header names the key, and cannot be exchanged for that of another key, nor left out", () => {
    const [own, old] = [seal.seal("p", "v"), before.seal("p", "v")];
    expect([keyIdOfSealed(own), keyIdOfSealed(old)]).toEqual([keyIdOf(SECRET), keyIdOf(OLD)]);
    expect(own.startsWith(sealHeader(keyIdOf(SECRET)))).toBe(true);
    expect(during.open("p", old.slice(0, 12) + own.slice(12))).toBeUndefined();
    expect(during.open("p", own.slice(12))).toBeUndefined();
  });

  test("keys that are derived differ by secret and by purpose; the current secret's come first", () => {
    const hex = during.keys.map(({ derive }) => Buffer.from(derive("p")).toString("hex"));
    expect(hex).toEqual([seal, before].map(({ keys: [key] }) => Buffer.from(key.derive("p")).toString("hex")));
    expect(Buffer.from(seal.keys[0].derive("q")).toString("hex")).not.toBe(hex[0]);
  });
});

/** The value with one of its bytes changed: the one at `at`, counted in characters. */
function flip(sealed: string, at: number): string {
  const bytes = Buffer.from(sealed, "base64url");
  const index = Math.min(Math.floor((at * 3) / 4), bytes.length - 1);
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return bytes.toString("base64url");
}
