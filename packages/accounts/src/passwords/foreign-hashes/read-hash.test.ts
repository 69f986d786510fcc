import { hash } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { HashFormatError } from "./format.ts";
import { fromKeycloak } from "./pbkdf2.ts";
import { readPasswordHash } from "./read-hash.ts";

const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
const text = (of: string) => Buffer.from(of).toString("base64");

/** Vectors of the formats' own documents. */
const VECTORS: [name: string, password: string, encoded: string, kind: string][] = [
  [
    "scrypt, RFC 7914 §12",
    "pleaseletmein",
    `$scrypt$ln=14,r=8,p=1$${text("SodiumChloride")}$${base64("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887")}`,
    "scrypt",
  ],
  [
    "PBKDF2-SHA1, RFC 6070",
    "password",
    `$pbkdf2$4096$${text("salt")}$${base64("4b007901b765489abead49d926f721d065a429c1")}`,
    "pbkdf2",
  ],
  [
    "PBKDF2-SHA256, RFC 7914 §11",
    "passwd",
    `$pbkdf2-sha256$i=1,l=64$${text("salt")}$${base64("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")}`,
    "pbkdf2",
  ],
  ["bcrypt 2a, of crypt_blowfish", "U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "bcrypt"],
  ["bcrypt 2y, the same computation", "U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "bcrypt"],
  [
    "Firebase scrypt, of its own tool",
    "user1password",
    "$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$Bw==$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    "firescrypt",
  ],
];

describe("UM-06 password hashes of other systems", () => {
  test.each(VECTORS)("%s", async (_, password, encoded, kind) => {
    const stored = readPasswordHash(encoded);
    expect(stored.kind).toBe(kind);
    expect([await stored.matches(password), await stored.matches(`${password}x`)]).toEqual([true, false]);
  });

  test.each([
    [0, "argon2d"],
    [1, "argon2i"],
    [2, "argon2id"],
  ])("argon2 variant %s", async (algorithm, kind) => {
    const encoded = await hash("a password of many words", { algorithm, memoryCost: 1024, timeCost: 1 });
    if (kind === "argon2d") return expect(() => readPasswordHash(encoded)).toThrow(HashFormatError);
    const stored = readPasswordHash(encoded);
    expect([stored.kind, await stored.matches("a password of many words"), await stored.matches("another")]).toEqual([
      kind,
      true,
      false,
    ]);
  });

  test("Keycloak's export, as objects and as the JSON text inside of it", async () => {
    const secretData = { value: base64("4b007901b765489abead49d926f721d065a429c1"), salt: text("salt") };
    const credentialData = { hashIterations: 4096, algorithm: "pbkdf2" };
    for (const credential of [
      { type: "password", secretData, credentialData },
      { type: "password", secretData: JSON.stringify(secretData), credentialData: JSON.stringify(credentialData) },
    ]) {
      const encoded = fromKeycloak(credential);
      expect(await readPasswordHash(encoded).matches("password")).toBe(true);
    }
    expect(() => fromKeycloak({ secretData, credentialData: { hashIterations: 1, algorithm: "argon2" } })).toThrow(
      HashFormatError,
    );
    expect(() => fromKeycloak({ secretData: "{", credentialData })).toThrow(HashFormatError);
  });
});

describe("UM-07 N74 hashes that cost too much to check", () => {
  const salt = text("a salt of bytes");
  const digest = text("a digest of thirty-two bytes....");
  test.each([
    ["argon2 memory", `$argon2id$v=19$m=4194304,t=2,p=1$${salt}$${digest}`],
    ["argon2 passes", `$argon2id$v=19$m=19456,t=11,p=1$${salt}$${digest}`],
    ["argon2 lanes", `$argon2id$v=19$m=19456,t=2,p=255$${salt}$${digest}`],
    ["bcrypt cost", "$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ["bcrypt cost 15", "$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ["scrypt N", `$scrypt$ln=30,r=8,p=1$${salt}$${digest}`],
    ["scrypt memory", `$scrypt$ln=18,r=16,p=1$${salt}$${digest}`],
    ["scrypt lanes", `$scrypt$ln=17,r=8,p=4$${salt}$${digest}`],
    ["PBKDF2 iterations", `$pbkdf2-sha512$i=2000001$${salt}$${digest}`],
    ["PBKDF2 digest length", `$pbkdf2-sha512$i=1000$${salt}$${"A".repeat(600)}`],
    ["Firebase rounds", `$firescrypt$ln=14,r=65,p=1$${salt}$${digest}$Bw==$${digest}`],
    ["length", `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${"A".repeat(2000)}`],
  ])("%s", (_, encoded) => {
    expect(() => readPasswordHash(encoded)).toThrow(HashFormatError);
  });

  test.each([
    "",
    "plain",
    "$1$md5$digest",
    "$argon2id$v=16$m=1024,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    `$scrypt$ln=x,r=8,p=1$${salt}$${digest}`,
    `$scrypt$r=8,p=1$${salt}$${digest}`,
    `$scrypt$ln=14,r=8,p=1$${salt}$!`,
    `$pbkdf2-sha256$i=-1$${salt}$${digest}`,
    `$pbkdf2-sha256$i=1e3$${salt}$${digest}`,
    `$pbkdf2-md5$i=1000$${salt}$${digest}`,
    "$2b$12$tooshort",
    `$2b$12$${"x".repeat(60)}`,
  ])("a hash that is malformed is refused, and the message does not repeat it: %s", (encoded) => {
    const attempt = () => readPasswordHash(encoded);
    expect(attempt).toThrow(HashFormatError);
    try {
      attempt();
    } catch (thrown) {
      if (encoded !== "") expect((thrown as Error).message).not.toContain(encoded);
    }
  });
});
