import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW } from "@gatehouse/db/testing/people";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UserFilter } from "../lists/lists.ts";
import { listUserRows } from "./queries.ts";

describe.each(engines)("UM-02 the list of users, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    const { db } = database;
    const { tables: t } = db;
    const user = { passwordHash: null, registeredBy: "operator", emailVerifiedAt: NOW } as const;
    await db.insert(t.users).values(
      ["ada", "bob", "cy", "di", "ed"].map((id, at) => ({
        ...user,
        id,
        email: `${id}@example.com`,
        name: id.toUpperCase(),
        role: id === "ada" || id === "bob" ? ("admin" as const) : ("user" as const),
        createdAt: NOW + at,
      })),
    );
    await db.update(t.users).set({ disabledAt: NOW }).where(eq(t.users.id, "bob"));
    await db.update(t.users).set({ emailVerifiedAt: null, registeredBy: "self" }).where(eq(t.users.id, "cy"));
    await db
      .update(t.users)
      .set({ deleteAfter: NOW + 60 })
      .where(eq(t.users.id, "di"));
    await db.update(t.users).set({ lastSignedInAt: NOW }).where(eq(t.users.id, "ada"));
    await db
      .update(t.users)
      .set({ lastSignedInAt: NOW + 60 })
      .where(eq(t.users.id, "bob"));
    await db.insert(t.totpSecrets).values({ userId: "ada", secret: "sealed", lastStep: 1, createdAt: NOW });
    await db.insert(t.passkeys).values({
      credentialId: "c",
      userId: "ed",
      publicKey: Buffer.from("k"),
      algorithm: -7,
      counter: 0,
      transports: [],
      aaguid: "",
      name: "",
      backupEligible: true,
      backedUp: true,
      userVerified: true,
      rpId: "localhost",
      createdAt: NOW,
    });
  });
  afterAll(() => database.close());

  const NONE: UserFilter = { query: undefined, role: undefined, status: undefined, secondFactor: undefined };
  async function ids(filter: Partial<UserFilter>, limit = 10, position?: { at: number; id: string }) {
    const { first, rows } = await listUserRows(database.reads, { ...NONE, ...filter }, position, limit);
    return [...(first ? [first] : []), ...rows.slice(0, limit)].map(({ id }) => id);
  }

  test.each<[Partial<UserFilter>, string[]]>([
    [{}, ["ed", "di", "cy", "bob", "ada"]],
    [{ status: "active" }, ["ed", "cy", "ada"]],
    [{ status: "disabled" }, ["bob"]],
    [{ status: "unverified" }, ["cy"]],
    [{ status: "deleting" }, ["di"]],
    [{ secondFactor: "some" }, ["ed", "ada"]],
    [{ secondFactor: "none" }, ["di", "cy", "bob"]],
    [{ role: "admin", secondFactor: "none" }, ["bob"]],
    [{ role: "admin", status: "active" }, ["ada"]],
    [{ role: "user", status: "unverified" }, ["cy"]],
    [{ role: "admin", status: "unverified" }, []],
    [{ query: "bo", status: "disabled" }, ["bob"]],
    [{ query: "B" }, ["bob"]],
    [{ query: "ob" }, []],
    [{ query: "b%" }, []],
    [{ query: "e", status: "active" }, ["ed"]],
    [{ query: "bob@example.com", status: "disabled" }, ["bob"]],
    [{ query: "bob@example.com", status: "active" }, []],
    [{ query: "ada", secondFactor: "some", role: "admin" }, ["ada"]],
    [{ lastSignIn: "never" }, ["ed", "di", "cy"]],
    [{ lastSignIn: "some" }, ["bob", "ada"]],
    [{ signedInFrom: NOW + 1 }, ["bob"]],
    [{ signedInTo: NOW + 59 }, ["ada"]],
    [{ signedInFrom: NOW, signedInTo: NOW + 60, role: "admin" }, ["bob", "ada"]],
    [{ lastSignIn: "never", signedInFrom: NOW }, []],
    [{ query: "b", lastSignIn: "never" }, []],
  ])("%o finds %s", async (filter, expected) => {
    expect(await ids(filter)).toEqual(expected);
  });

  test("a page goes on where the one before ended, under a filter too", async () => {
    expect(await ids({ status: "active" }, 2)).toEqual(["ed", "cy"]);
    expect(await ids({ status: "active" }, 2, { at: NOW + 2, id: "cy" })).toEqual(["ada"]);
  });
});
