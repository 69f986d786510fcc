import { type Hash, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, SHOWN, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { changeAccount } from "./account-change.ts";
import { findAccountByEmail } from "./accounts.ts";
import { discardUntrustedAccess } from "./untrusted-accounts.ts";

const EMPTY = { passwordHash: null, webauthnUserId: null, mustChangePassword: false } as const;

describe.each(engines)("RG-05 the first proof of an address, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    await fill("ada");
    await fill("bob");
  });
  afterEach(() => database.close());

  /** An account with one of everything, from the sign-up page. */
  async function fill(userId: string): Promise<void> {
    const { db } = database;
    const { tables: t } = db;
    const store = createAuthStore(database.db);
    const hash = (name: string) => sha256(`${userId} ${name}`) as Hash;
    const at = { createdAt: NOW, expiresAt: NOW + 600 };
    await db
      .update(t.users)
      .set({ registeredBy: "self", webauthnUserId: hash("handle"), mustChangePassword: true })
      .where(eq(t.users.id, userId));
    await db.insert(t.passkeys).values({
      credentialId: hash("credential"),
      userId,
      publicKey: Buffer.from("key"),
      algorithm: -7,
      counter: 0,
      transports: ["usb"],
      aaguid: "",
      name: "Key",
      backupEligible: false,
      backedUp: false,
      userVerified: true,
      rpId: "localhost",
      createdAt: NOW,
    });
    await db.insert(t.totpSecrets).values({ userId, secret: "sealed", lastStep: 1, createdAt: NOW });
    await db.insert(t.recoveryCodes).values({ hash: hash("code"), userId, createdAt: NOW });
    await db
      .insert(t.rememberedBrowsers)
      .values({ ...at, id: userId, hash: hash("browser"), userId, signInEpoch: 0, lastUsedAt: NOW });
    await db
      .insert(t.identities)
      .values({ id: userId, userId, provider: "google", issuer: "i", subject: userId, createdAt: NOW });
    await db.insert(t.mailedTokens).values([
      { ...at, hash: hash("change"), purpose: "email_change", userId, email: "evil@example.com" },
      { ...at, hash: hash("proof"), purpose: "verify", userId, email: `${userId}@example.com` },
    ]);
    await db.insert(t.userPictures).values({ userId, type: "image/png", bytes: Buffer.from("png"), updatedAt: NOW });
    await store.saveConsent({ userId, clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
    await store.saveSession({
      ...at,
      hash: hash("session"),
      id: userId,
      userId,
      authTime: NOW,
      userAgent: null,
      address: null,
      accessEpoch: 0,
      lastSeenAt: NOW,
      absoluteExpiresAt: NOW + 600,
      ...PASSWORD_SIGN_IN,
    });
    const grant = { id: `${userId}-grant`, userId, clientId: "shop-dev", scope: "offline_access" };
    await store.saveGrant({ ...grant, sessionId: null, accessEpoch: 0, createdAt: NOW });
  }

  /** Spends the mailed link, and empties the account with it. */
  function prove(userId = "ada", link = "proof"): Promise<boolean> {
    const { db } = database;
    const { mailedTokens: tokens } = db.tables;
    const first = db
      .update(tokens)
      .set({ spentAt: NOW })
      .where(eq(tokens.hash, sha256(`${userId} ${link}`) as Hash))
      .returning({ hash: tokens.hash });
    return changeAccount(database.db, { userId, first, rest: discardUntrustedAccess(database.db, userId, NOW) }, NOW);
  }

  const ownersOf = async (table: PgTable & { userId: PgTable["_"]["columns"][string] }) =>
    (await database.db.select({ userId: table.userId }).from(table)).map(({ userId }) => userId);
  async function belongings() {
    const t = database.db.tables;
    const kept = [
      t.passkeys,
      t.totpSecrets,
      t.recoveryCodes,
      t.rememberedBrowsers,
      t.identities,
      t.userPictures,
      t.consents,
    ];
    return Promise.all(kept.map((table) => ownersOf(table as never)));
  }
  const account = async (email: string) => {
    const found = await findAccountByEmail(database.db, email);
    if (!found) throw new Error(`no account ${email}`);
    return found;
  };
  const liveRows = async (userId: string) => {
    const { db } = database;
    const { tables: t } = db;
    const session = (await db.select().from(t.sessions).where(eq(t.sessions.userId, userId)))[0];
    const grant = (await db.select().from(t.grants).where(eq(t.grants.userId, userId)))[0];
    return [session?.revokedAt, grant?.revokedAt].map((at) => at === null);
  };

  test("N41 empties the account: what the stranger left behind is gone, and other accounts keep theirs", async () => {
    expect(await prove()).toBe(true);
    expect(await account("ada@example.com")).toMatchObject({
      ...EMPTY,
      emailVerifiedAt: NOW,
      accessEpoch: 1,
      signInEpoch: 1,
    });
    expect(await belongings()).toEqual(Array.from({ length: 7 }, () => ["bob"]));
    expect(await liveRows("ada")).toEqual([false, false]);
    const tokens = await database.db.select().from(database.db.tables.mailedTokens);
    // Only the spent token is left.
    expect(tokens.filter(({ userId }) => userId === "ada").map(({ purpose }) => purpose)).toEqual(["verify"]);

    expect(await account("bob@example.com")).toMatchObject({
      passwordHash: "$argon2id$not-checked-here",
      emailVerifiedAt: null,
    });
    expect(await liveRows("bob")).toEqual([true, true]);
  });

  test("RG-10 takes back a deletion that the account's creator asked for", async () => {
    const { users } = database.db.tables;
    await database.db.update(users).set({ deleteAfter: NOW + 600 });
    expect(await prove("ada", "proof")).toBe(true);
    expect(await account("ada@example.com")).toMatchObject({ deleteAfter: null });
    expect(await account("bob@example.com")).toMatchObject({ deleteAfter: NOW + 600 });
  });

  test.each<["operator" | "self", number | null]>([
    ["operator", null],
    ["self", NOW - 60],
  ])("RG-06 an account registered by %s and verified at %s keeps everything", async (registeredBy, emailVerifiedAt) => {
    const { users } = database.db.tables;
    await database.db.update(users).set({ registeredBy, emailVerifiedAt }).where(eq(users.id, "ada"));
    await prove();
    expect(await account("ada@example.com")).toMatchObject({
      emailVerifiedAt: emailVerifiedAt ?? NOW,
      accessEpoch: 0,
      mustChangePassword: true,
    });
    for (const owners of await belongings()) expect(owners.sort()).toEqual(["ada", "bob"]);
    expect(await liveRows("ada")).toEqual([true, true]);
  });

  test("of several proofs at once, only the first one empties the account", async () => {
    const { users } = database.db.tables;
    const proofs = await Promise.all(["proof", "change"].map((link) => prove("ada", link)));
    expect(proofs.filter(Boolean).length).toBeGreaterThanOrEqual(1);
    expect(await account("ada@example.com")).toMatchObject({ accessEpoch: 1, signInEpoch: 1 });
    await database.db.update(users).set({ passwordHash: "$new" }).where(eq(users.id, "ada"));
    await prove();
    expect(await account("ada@example.com")).toMatchObject({ passwordHash: "$new", accessEpoch: 1 });
  });
});
