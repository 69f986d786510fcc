import { randomUUID } from "node:crypto";
import { emailOf } from "../harness/fixture.ts";
import { withDatabase } from "./database.ts";

type Person = { role?: "admin" | "developer" | "viewer" | "user"; displayName?: string };

/**
 * Creates a user with the fixture's password, in the database: a run of the command line costs more than many a test.
 * Returns the address.
 */
export async function createUser(name: string, { role = "user", displayName = name }: Person = {}): Promise<string> {
  const email = emailOf(name);
  await withDatabase(async ({ db }) => {
    const { tables } = db;
    const like = (await db.select().from(tables.users)).find((one) => one.email === emailOf("viewer"));
    if (like === undefined) throw new Error("the fixture has no viewer");
    const own = { id: randomUUID(), email, name: displayName, role, lastSignedInAt: null };
    await db.insert(tables.users).values({ ...like, ...own });
  });
  return email;
}
