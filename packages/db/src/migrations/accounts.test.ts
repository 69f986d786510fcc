import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../testing/index.ts";
import { openMigrated } from "../testing/migrated.ts";

const LAST_BEFORE = "0014_webhook_repeats";

/** A user with a session, as before. */
const ROWS = [
  `insert into users (id, email, name, password_hash, role, created_at, registered_by, access_epoch)
   values ('ada', 'ada@example.com', 'Ada', '$argon2id$old', 'admin', 1, 'operator', 3)`,
  `insert into sessions (hash, id, user_id, auth_time, created_at, last_seen_at, expires_at, absolute_expires_at, access_epoch)
   values ('h', 's', 'ada', 10, 10, 10, 20, 30, 3)`,
];

describe.each(engines)("the migration of accounts on $name", (engine) => {
  let migrated: Awaited<ReturnType<typeof openMigrated>>;
  beforeAll(async () => {
    migrated = await openMigrated(engine, { lastBefore: LAST_BEFORE, rows: ROWS });
  });
  afterAll(() => migrated.close());

  test("keeps users with their passwords and sessions, which count as signed in with a password", async () => {
    const { db, tables } = migrated.handle;
    expect(await db.select().from(tables.users)).toMatchObject([
      { id: "ada", passwordHash: "$argon2id$old", accessEpoch: 3, signInEpoch: 0, mustChangePassword: false, locale: null, role: "admin" },
    ]);
    expect(await db.select().from(tables.sessions)).toMatchObject([
      { id: "s", userId: "ada", acr: "urn:gatehouse:acr:password", amr: ["pwd"], method: "password", persistent: true, secondAt: null },
    ]);
  });

  test("allows users without a password", async () => {
    const { db, tables } = migrated.handle;
    const user = { id: "bob", email: "bob@example.com", name: "Bob", role: "user", createdAt: 1, passwordHash: null } as const;
    await db.insert(tables.users).values(user);
    expect((await db.select().from(tables.users)).map(({ id, passwordHash }) => [id, passwordHash])).toContainEqual(["bob", null]);
  });
});
