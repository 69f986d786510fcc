import { pbkdf2Sync } from "node:crypto";
import { changePassword, type PasswordHasher, verifyPassword } from "@gatehouse/accounts";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../testing/installation.ts";
import { createUser } from "./users.ts";

const [OLD, NEW] = ["the old password of Ada", "a new password of Ada's"];
const EMAIL = "ada@example.com";
const SALT = Buffer.from("sixteen bytes ..");
const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
/** Of another system: right, and to be replaced. */
const OUTDATED = `$pbkdf2-sha256$1000$${base64(SALT)}$${base64(pbkdf2Sync(OLD, SALT, 1000, 32, "sha256"))}`;
/** bcrypt of cost 4 of 82 bytes, of which it reads 72. */
const LONG = "p".repeat(82);
const TRUNCATED = "$2b$04$C5Dmz74eNEpeY7hZD2IjquQPSHptKtBoYG.d4tmzLfhQmdIXo65Cu";

describe.each(engines)("PW-05 an outdated hash, on $name", (engine) => {
  let it: Installation;
  let userId: string;
  beforeEach(async () => {
    it = await openInstallation(engine);
    ({ id: userId } = await createUser({ email: EMAIL, name: "Ada", password: OLD, role: "user" }, it.deps));
    await it.deps.db.update(it.deps.db.tables.users).set({ passwordHash: OUTDATED });
  });
  afterEach(() => it.close());

  const stored = async () => (await it.deps.people.findAccountByEmail(EMAIL))?.passwordHash;
  const signsIn = async (password: string) => (await verifyPassword({ email: EMAIL, password }, it.deps)) !== undefined;

  test("PW-05 is replaced after a right password, not after a wrong one", async () => {
    expect([await signsIn(NEW), await stored()]).toEqual([false, OUTDATED]);
    expect([await signsIn(OLD), await stored()]).toEqual([true, expect.stringMatching(/^\$argon2id\$/)]);
  });

  test("UM-06 PW-05 stays if it does not prove the whole password: what is typed after its beginning never becomes the password", async () => {
    await it.deps.db.update(it.deps.db.tables.users).set({ passwordHash: TRUNCATED });
    for (const password of [`${LONG.slice(0, 72)} and anything`, LONG.slice(0, 72), LONG])
      expect([await signsIn(password), await stored()]).toEqual([true, TRUNCATED]);
    expect([await signsIn(LONG.slice(0, 71)), await stored()]).toEqual([false, TRUNCATED]);
  });

  test("PW-05 a password that is changed while the old one is hashed again stays changed", async () => {
    const change = {
      userId,
      signInEpoch: 0,
      sessionId: "none",
      apps: false,
      password: NEW,
      source: { userAgent: null, address: null },
      locale: "en",
    };
    // The change comes between the check and the write of the new hash.
    const hasher: PasswordHasher = {
      ...it.deps.hasher,
      async hash(password) {
        expect(await changePassword(change, it.deps)).toEqual({ kind: "changed" });
        return it.deps.hasher.hash(password);
      },
    };
    await verifyPassword({ email: EMAIL, password: OLD }, { ...it.deps, hasher });
    expect([await signsIn(OLD), await signsIn(NEW)]).toEqual([false, true]);
  });

  test("PW-05 of parallel sign-ins one replaces it, and all succeed", async () => {
    expect(await Promise.all(Array.from({ length: 5 }, () => signsIn(OLD)))).toEqual([true, true, true, true, true]);
    expect(await stored()).toMatch(/^\$argon2id\$/);
  });
});
