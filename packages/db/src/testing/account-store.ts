import type { NewMailedToken } from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach } from "vitest";
import { createAccountStore } from "../stores/accounts/store.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import type { TestDatabase, TestEngine } from "./engines.ts";
import { NOW, seed } from "./people.ts";

/** A sign-up of a new person. */
export const CLAIM = {
  id: "new",
  email: "ada@example.org",
  name: "Ada",
  role: "user",
  createdAt: NOW,
  registeredBy: "self",
  passwordHash: "$hers",
} as const;

/**
 * A seeded database for each test of a `describe`, its store of accounts, and functions that make what accounts sign in
 * with.
 */
export function openAccountStore(open: TestEngine["open"]) {
  const it = {} as { database: TestDatabase };
  beforeEach(async () => {
    it.database = await open();
    await seed(it.database.db);
  });
  afterEach(() => it.database.close());

  const people = () => createAccountStore(it.database.db);
  const token = (
    name: string,
    purpose: NewMailedToken["purpose"],
    more: Partial<NewMailedToken> = {},
  ): NewMailedToken => ({
    hash: sha256(name),
    purpose,
    userId: null,
    email: CLAIM.email,
    codeHash: null,
    browser: null,
    data: null,
    signInEpoch: null,
    createdAt: NOW,
    expiresAt: NOW + 600,
    ...more,
  });
  const set = (userId: string, change: object) =>
    it.database.db.update(it.database.db.tables.users).set(change).where(eq(it.database.db.tables.users.id, userId));
  const session = (userId: string, name = userId) =>
    createAuthStore(it.database.db).saveSession({
      hash: sha256(name),
      id: name,
      userId,
      authTime: NOW,
      userAgent: null,
      address: null,
      accessEpoch: 0,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 600,
      absoluteExpiresAt: NOW + 600,
      ...PASSWORD_SIGN_IN,
    });
  const live = async (userId: string) =>
    (await createAuthStore(it.database.db).listSessions(userId, NOW)).map(({ id }) => id);

  return Object.assign(it, { people, token, set, session, live });
}
