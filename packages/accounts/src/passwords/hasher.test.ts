import { pbkdf2Sync, scryptSync } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { hash as bcryptHash } from "@node-rs/bcrypt";
import { describe, expect, test } from "vitest";
import { isCurrentHash, NOBODYS_HASH } from "./argon2.ts";
import { createPasswordHasher } from "./hasher.ts";

const hasher = createPasswordHasher({ concurrency: 2 });
const ARGON2I = 1;
const SALT = Buffer.from("a salt of bytes").toString("base64");
const PASSWORD = "a long enough password";
const verdict = async (password: string, options: Parameters<typeof hash>[1]) =>
  hasher.verify(await hash(password, options), password);

describe("PW-05 the cost of a hash", () => {
  test("a new hash is argon2id with 19 MiB and two passes, and right", async () => {
    const hashed = await hasher.hash(PASSWORD);
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(hashed, PASSWORD)).toBe("right");
    expect(await hasher.verify(hashed, `${PASSWORD}!`)).toBe("wrong");
    expect(await hasher.hash(PASSWORD)).not.toBe(hashed);
  });

  test.each([
    ["less memory", { memoryCost: 4096, timeCost: 3 }],
    ["fewer passes", { memoryCost: 19_456, timeCost: 1 }],
    ["argon2i", { algorithm: ARGON2I, memoryCost: 19_456, timeCost: 2 }],
  ])("a right password of a hash with %s is outdated", async (_, options) => {
    expect(await verdict(PASSWORD, options)).toBe("outdated");
  });

  test("UM-06 a right password of another system's hash is outdated", async () => {
    const pbkdf2 = "$pbkdf2-sha256$1000$c2FsdC1vZi1zaXh0ZWVu$";
    const digest = pbkdf2Sync(PASSWORD, Buffer.from("c2FsdC1vZi1zaXh0ZWVu", "base64"), 1000, 32, "sha256")
      .toString("base64")
      .replace("=", "");
    expect(await hasher.verify(pbkdf2 + digest, PASSWORD)).toBe("outdated");
    expect(await hasher.verify(pbkdf2 + digest, "another long password")).toBe("wrong");
  });

  test.each([
    ["71 bytes and their end", "p".repeat(71), "outdated"],
    ["72 bytes, of which it does not know whether more follow", "p".repeat(72), "right"],
    ["72 bytes in fewer characters", "ü".repeat(36), "right"],
    ["82 bytes, of which it knows 72", "p".repeat(82), "right"],
  ])("UM-06 bcrypt proves %s", async (_, password, expected) => {
    expect(await hasher.verify(await bcryptHash(password, { cost: 4 }), password)).toBe(expected);
  });

  test("UM-06 what bcrypt does not read lets in as where the hash was made, but does not replace the hash", async () => {
    const imported = await bcryptHash("p".repeat(82), { cost: 4 });
    const typed = ["p".repeat(72), `${"p".repeat(72)} and anything`];
    expect(await Promise.all(typed.map((password) => hasher.verify(imported, password)))).toEqual(["right", "right"]);
    const repeated = `${PASSWORD}\0${PASSWORD}`; // bcrypt repeats its key
    expect(await hasher.verify(await bcryptHash(PASSWORD, { cost: 4 }), repeated)).toBe("right");
  });

  test.each([
    [
      "PBKDF2",
      `$pbkdf2-sha256$1000$${SALT}$${pbkdf2Sync(PASSWORD, "a salt of bytes", 1000, 32, "sha256").toString("base64")}`,
    ],
    [
      "scrypt",
      `$scrypt$ln=4,r=8,p=1$${SALT}$${scryptSync(PASSWORD, "a salt of bytes", 32, { N: 16 }).toString("base64")}`,
    ],
  ])("UM-06 %s reads a password with zero bytes at its end as the one without", async (_, imported) => {
    expect([await hasher.verify(imported, PASSWORD), await hasher.verify(imported, `${PASSWORD}\0`)]).toEqual([
      "outdated",
      "right",
    ]);
  });

  test("a higher cost stays", async () => {
    expect(await verdict(PASSWORD, { memoryCost: 20_000, timeCost: 3 })).toBe("right");
  });
});

describe("PW-07 PW-06 what is never right", () => {
  test.each([
    ["no account", undefined],
    ["no password", null],
    ["something that is no hash", "none"],
    ["a hash of a password that is another", "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"],
    [
      "a hash that wants 4 GiB",
      "$argon2id$v=19$m=4194304,t=2,p=1$otU5ltb5p0X2pHnPutnMsA$y8RFZ+3ZXOOuuLlI/eb+EANvEzOwfYD7Vsc7P71Nu6Y",
    ],
  ])("%s", async (_, hashed) => {
    expect(await hasher.verify(hashed, PASSWORD)).toBe("wrong");
  });

  test("a password of 257 code points costs no hash", async () => {
    const busy = createPasswordHasher({ concurrency: 0, waiting: 0 });
    expect(await busy.verify(undefined, "😀".repeat(257))).toBe("wrong");
    await expect(busy.verify(undefined, "😀".repeat(256))).rejects.toMatchObject({ status: 503 });
  });
});

describe("AB-04 N72 the time of a wrong password", () => {
  test.each([
    ["PBKDF2 of one round", "$pbkdf2-sha256$i=1$c2FsdC1vZi1zaXh0ZWVu$y8RFZ+3ZXOOuuLlI/eb+EANvEzOwfYD7Vsc7P71Nu6Y"],
    ["bcrypt of cost 4", "$2b$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    [
      "argon2id of 1 MiB",
      "$argon2id$v=19$m=1024,t=1,p=1$otU5ltb5p0X2pHnPutnMsA$y8RFZ+3ZXOOuuLlI/eb+EANvEzOwfYD7Vsc7P71Nu6Y",
    ],
  ])(
    "%s is not answered sooner than an unknown address: the check against nobody's hash has ended by then",
    async (_, cheap) => {
      const two = createPasswordHasher({ concurrency: 2, waiting: 0 });
      expect(await two.verify(cheap, PASSWORD)).toBe("wrong");
      // Both permits are free. A check that went on would hold one, and the second of these would get a 503.
      expect(await Promise.all([two.verify(undefined, PASSWORD), two.verify(undefined, PASSWORD)])).toEqual([
        "wrong",
        "wrong",
      ]);
    },
  );

  test("nobody's hash costs what a new one does", () => {
    expect(isCurrentHash(NOBODYS_HASH)).toBe(true);
  });

  test("the floor waits for a permit too, so one sign-in never takes more than its share", async () => {
    const busy = createPasswordHasher({ concurrency: 1, waiting: 0 });
    await expect(
      busy.verify("$2b$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", PASSWORD),
    ).rejects.toMatchObject({
      status: 503,
    });
  });
});

describe("PW-02 N75 spellings", () => {
  const [nfc, nfd] = ["crème brûlée à Zürich".normalize("NFC"), "crème brûlée à Zürich".normalize("NFD")];

  test("both spellings of a password are the same", async () => {
    const hashed = await hasher.hash(nfd);
    expect(await hasher.verify(hashed, nfc)).toBe("right");
    expect(await hasher.verify(hashed, nfd)).toBe("right");
  });

  test("an older hash of the typed spelling still opens, and is outdated", async () => {
    const older = await hash(nfd, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect(await hasher.verify(older, nfd)).toBe("outdated");
    expect(await hasher.verify(older, nfc)).toBe("wrong");
  });
});
