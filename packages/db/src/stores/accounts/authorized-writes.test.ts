import { type Credential, WHAT_ENDS } from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq, inArray, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { changeAccount } from "./account-change.ts";
import { insertApiToken } from "./api-tokens.ts";
import { saveInvitation } from "./invitations.ts";
import { revocationWrites } from "./revocation.ts";
import { changeUser, updateUserDisabled } from "./user-changes.ts";

const KINDS = ["session", "grant", "api_token"] as const satisfies readonly Credential["kind"][];
const ROUNDS = 10;

describe.each(engines)("N49 what an admin makes while the account changes, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    const { db } = database;
    const { users } = db.tables;
    await seed(db);
    await db
      .update(users)
      .set({ role: "admin" })
      .where(inArray(users.id, ["ada", "bob"]));
  });
  afterEach(() => database.close());

  /** Gives ada a credential of each kind, with the id `id`. */
  async function authenticate(id: string): Promise<void> {
    const store = createAuthStore(database.db);
    const { users } = database.db.tables;
    const [row] = await database.db.select({ accessEpoch: users.accessEpoch }).from(users).where(eq(users.id, "ada"));
    const accessEpoch = row?.accessEpoch ?? 0;
    await store.saveSession({
      hash: sha256(id),
      id,
      userId: "ada",
      authTime: NOW,
      userAgent: null,
      address: null,
      accessEpoch,
      ...PASSWORD_SIGN_IN,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 1000,
      absoluteExpiresAt: NOW + 2000,
    });
    await store.saveGrant({
      id,
      clientId: "shop-dev",
      userId: "ada",
      scope: "openid",
      sessionId: null,
      accessEpoch,
      createdAt: NOW,
    });
    await insertApiToken(database.db, apiToken(id));
  }

  const apiToken = (id: string) => ({
    id,
    hash: sha256(`token ${id}`),
    hint: "oken",
    name: "CI",
    makerId: "ada",
    scopes: [],
    environments: [],
    clientId: null,
    firstPartyOrigins: [],
    createdAt: NOW,
    expiresAt: NOW + 600,
    endedAt: null,
    lastUsedAt: null,
  });

  /** Makes an API token and an invitation with a credential. Returns which of the two were made. */
  function make(id: string, kind: Credential["kind"], credentialId: string): Promise<boolean[]> {
    const maker = { id: "ada", role: "admin", credential: { kind, id: credentialId } } as const;
    const invitation = { id, email: `${id}@example.com`, role: "admin", hash: sha256(id), invitedBy: "ada" } as const;
    return Promise.all([
      insertApiToken(database.db, apiToken(id), { maker }),
      saveInvitation(database.db, { ...invitation, createdAt: NOW, expiresAt: NOW + 600 }, {}, maker),
    ]);
  }

  function reset(): Promise<boolean> {
    const { db } = database;
    const { users } = db.tables;
    const first = db.update(users).set({ passwordHash: "$new" }).where(eq(users.id, "ada")).returning({ id: users.id });
    const rest = revocationWrites(db, WHAT_ENDS.password_reset, { userId: "ada", reason: "reset" }, NOW);
    return changeAccount(db, { userId: "ada", first, rest }, NOW);
  }
  const demote = () => changeUser(database.db, { id: "ada", role: "developer" }, NOW);
  const disable = () => updateUserDisabled(database.db, { id: "ada", disabled: true }, NOW);
  const CHANGES: [string, () => Promise<boolean>][] = [
    ["reset", reset],
    ["demoted", demote],
    ["disabled", disable],
  ];

  async function restore(): Promise<void> {
    const { users } = database.db.tables;
    await database.db.update(users).set({ role: "admin", disabledAt: null }).where(eq(users.id, "ada"));
  }

  async function live(): Promise<string[]> {
    const { db } = database;
    const { tables } = db;
    const tokens = await db
      .select({ id: tables.apiTokens.id })
      .from(tables.apiTokens)
      .where(isNull(tables.apiTokens.endedAt));
    const pending = await db
      .select({ id: tables.invitations.id })
      .from(tables.invitations)
      .where(isNull(tables.invitations.withdrawnAt));
    return [...tokens, ...pending].map(({ id }) => id).sort();
  }

  test.each(KINDS)("a live %s makes both", async (kind) => {
    await authenticate("here");
    expect(await make("new", kind, "here")).toEqual([true, true]);
    expect(await live()).toEqual(["here", "new", "new"]);
  });

  test.each(CHANGES.flatMap(([name, change]) => KINDS.map((kind) => [name, kind, change] as const)))(
    "the request of an admin who has been %s since makes nothing with its %s",
    async (_, kind, change) => {
      await authenticate("here");
      expect(await change()).toBe(true);
      expect(await make("new", kind, "here")).toEqual([false, false]);
      expect(await live()).toEqual([]);
    },
  );

  test.each(KINDS)("somebody else's %s makes nothing", async (kind) => {
    await authenticate("here");
    const maker = { id: "bob", role: "admin", credential: { kind, id: "here" } } as const;
    expect(await insertApiToken(database.db, { ...apiToken("new"), makerId: "bob" }, { maker })).toBe(false);
  });

  test.each(CHANGES)("of what is made at the moment in which its maker is %s, nothing lives on", async (_, change) => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = `round-${round}`;
      await authenticate(id);
      const made = KINDS.map((kind) => make(`${id}-${kind}`, kind, id));
      const [changed] = await Promise.all([change(), ...made]);
      expect([changed, await live()]).toEqual([true, []]);
      await restore();
    }
  });
});
