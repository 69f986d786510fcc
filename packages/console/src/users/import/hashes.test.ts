import { pbkdf2Sync, scryptSync } from "node:crypto";
import { verifyPassword } from "@gatehouse/accounts";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, openInstallation } from "../../testing/installation.ts";
import { importUser } from "./import.ts";
import { importedUser } from "./schemas.ts";

const PASSWORD = "a password of many words";
const SALT = Buffer.from("sixteen bytes ok");
const bare = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
const pbkdf2 = (digest: string, length: number) => pbkdf2Sync(PASSWORD, SALT, 5000, length, digest);
const phc = (digest: string, length: number) =>
  `$pbkdf2-${digest}$i=5000$${bare(SALT)}$${bare(pbkdf2(digest, length))}`;
const keycloak = {
  type: "password",
  secretData: JSON.stringify({ value: pbkdf2("sha512", 64).toString("base64"), salt: SALT.toString("base64") }),
  credentialData: JSON.stringify({ hashIterations: 5000, algorithm: "pbkdf2-sha512" }),
};

/** What other systems store. The bcrypt vectors are of crypt_blowfish. */
const HASHES: [name: string, password: string, hash: unknown][] = [
  [
    "argon2i",
    PASSWORD,
    "$argon2i$v=19$m=1024,t=2,p=1$5/DMgpQKXCaGUT2Sh58r5g$6jLeiXBM1zCiEitaCV4gelm1dJ/hfVLngKiZ3gChAbs",
  ],
  ["bcrypt-2a", "U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["bcrypt-2y", "U*U", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  [
    "scrypt",
    PASSWORD,
    `$scrypt$ln=12,r=8,p=1$${bare(SALT)}$${bare(scryptSync(PASSWORD, SALT, 32, { N: 4096, r: 8, p: 1 }))}`,
  ],
  ["pbkdf2-sha1", PASSWORD, phc("sha1", 20)],
  ["pbkdf2-sha256", PASSWORD, phc("sha256", 32)],
  ["pbkdf2-sha512", PASSWORD, phc("sha512", 64)],
  ["keycloak", PASSWORD, keycloak],
];

describe("UM-06 PW-05 imported hashes", () => {
  let it: Installation;
  beforeAll(async () => {
    const [engine] = engines;
    if (!engine) throw new Error("no engine");
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  test.each(HASHES)(
    "UM-06 PW-05 %s signs in with the right password alone, and is then replaced",
    async (name, password, password_hash) => {
      const email = `${name}@import.example`;
      const line = importedUser.parse({ email, name, email_verified: true, password_hash });
      const importLine = (dryRun = false) => importUser(line, { dryRun, author: ADMIN }, it.deps);
      const hash = async () => (await it.deps.people.findAccountByEmail(email))?.passwordHash;
      expect([await importLine(true), await importLine(true)]).toEqual([{ status: "created" }, { status: "created" }]);
      expect(await importLine()).toMatchObject({ status: "created" });

      const imported = await hash();
      expect(await verifyPassword({ email, password: `${password}x` }, it.deps)).toBeUndefined();
      expect(await hash()).toBe(imported);
      expect(await verifyPassword({ email, password }, it.deps)).toMatchObject({ email });
      expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=19456,/);
      expect(await verifyPassword({ email, password }, it.deps)).toMatchObject({ email });
      expect(await importLine()).toMatchObject({ status: "unchanged" });
    },
  );
});
