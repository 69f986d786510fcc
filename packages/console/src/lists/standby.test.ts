import { openDatabase } from "@gatehouse/db/database";
import { engines } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { expect, test } from "vitest";
import { listUsers } from "../users/users.ts";

test("OP-33 lists are read from the standby, and everything else from the primary server", async () => {
  const open = engines.find(({ name }) => name === "postgres")?.open;
  if (!open) throw new Error("there is no PostgreSQL");
  // Two databases in place of a server and its standby, so that it shows which one was asked.
  const [primary, standby] = await Promise.all([open(), open()]);
  await seed(standby.db);
  const database = await openDatabase(primary.url, { readUrl: standby.url });
  const emails = async (deps: Pick<typeof database, "reads" | "lists">) =>
    (await listUsers({ limit: 10, cursor: undefined } as never, deps)).items.map(({ email }) => email).sort();

  expect(await emails(database)).toEqual(["ada@example.com", "bob@example.com"]);
  const { users } = database.db.tables;
  expect(await database.db.select().from(users)).toEqual([]);
  expect(await database.reads.select().from(users)).toEqual([]);
  await database.db
    .insert(users)
    .values({ id: "cy", email: "cy@example.com", name: "Cy", role: "user", createdAt: NOW });
  expect(await emails({ reads: database.reads, lists: database.reads })).toEqual(["cy@example.com"]);
  expect(await emails(database)).not.toContain("cy@example.com");
  await database.close();
  await Promise.all([primary.close(), standby.close()]);
});

test("OP-33 without a standby lists see every write at once, on both engines", async () => {
  for (const { open } of engines) {
    const database = await open();
    expect(database.lists).toBe(database.reads);
    await database.close();
  }
});
