import { randomBytes } from "node:crypto";
import { createPasswordHasher } from "@gatehouse/accounts";
import { mintId, type Role } from "@gatehouse/auth";
import { openDatabase } from "@gatehouse/db/database";
import { insertUser } from "@gatehouse/db/stores/accounts/users";
import { PASSWORD } from "./fixture.ts";

let passwordHash: Promise<string> | undefined;

/**
 * Adds an account to a running server's database, with the password of the fixture's users. Returns its id. `env` is
 * the server's.
 */
export async function addUser(env: Record<string, string>, user: { email: string; role?: Role }): Promise<string> {
  passwordHash ??= createPasswordHasher({ concurrency: 1 }).hash(PASSWORD);
  const database = await openDatabase(env["DATABASE_URL"] ?? "");
  try {
    const id = `usr_${mintId(randomBytes)}`;
    const account = {
      name: "Ada",
      role: "user",
      registeredBy: "operator",
      createdAt: Math.floor(Date.now() / 1000),
    } as const;
    if (!(await insertUser(database.db, { ...account, ...user, id, passwordHash: await passwordHash })))
      throw new Error(`${user.email} has an account already`);
    return id;
  } finally {
    await database.close();
  }
}
