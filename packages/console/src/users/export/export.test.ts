import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../../testing/callers.ts";
import { createUser } from "../users.ts";

/** More than a page of an export. */
const COUNT = 210;

describe.each(engines)("UM-08 exports of users in the console, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
    const { db } = it.deps;
    const { tables } = db;
    const user = await createUser(
      { email: "with-hash@example.com", name: "Ada", password: "correct horse battery", role: "viewer" },
      it.deps,
    );
    await db.insert(tables.users).values(
      Array.from({ length: COUNT }, (_, index) => {
        const email = `exported-${index}@example.com`;
        return {
          id: `usr_exported_${index}`,
          email,
          name: email,
          role: "user" as const,
          createdAt: index,
          registeredBy: "operator" as const,
        };
      }),
    );
    const key = { userId: user.id, provider: "google", issuer: "https://accounts.google.com", subject: "1234" };
    await db.insert(tables.identities).values({ ...key, id: "identity", email: null, createdAt: 1, lastUsedAt: null });
  });
  afterAll(() => it.close());

  type Filter = NonNullable<Parameters<ReturnType<Installation["as"]>["users"]["export"]>[0]>["filter"];

  async function exported(filter?: Filter) {
    const { users } = it.as("admin");
    const { ticket } = await users.export({ filter });
    type Page = Awaited<ReturnType<typeof users.exportPage>>;
    const pages: Page[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: Page = await users.exportPage({ ticket, cursor });
      pages.push(page);
      cursor = page.nextCursor;
      if (cursor === null) return { pages, items: pages.flatMap(({ items }) => items) };
    }
  }

  test("hold every user once, newest first, page by page, without hashes", async () => {
    const { pages, items } = await exported();
    expect(pages.length).toBeGreaterThan(1);
    const emails = items.map(({ email }) => email).filter((email) => email.startsWith("exported-"));
    expect(emails).toEqual(Array.from({ length: COUNT }, (_, back) => `exported-${COUNT - 1 - back}@example.com`));
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(JSON.stringify(items)).not.toMatch(/hash"|argon2/);
    expect(items.find(({ email }) => email === "with-hash@example.com")?.identities).toMatchObject([
      { provider: "google", subject: "1234" },
    ]);
  });

  test("hold the users that match the filters", async () => {
    const { items } = await exported({ role: "viewer", query: "with-hash" });
    expect(items.map(({ email }) => email)).toEqual(["with-hash@example.com"]);
  });

  test("leave an audit row, and their pages are for the admin who started them", async () => {
    const { ticket } = await it.as("admin").users.export({ filter: { role: "admin" } });
    const { db } = it.deps;
    const { tables } = db;
    expect(await db.select().from(tables.audit)).toContainEqual(
      expect.objectContaining({
        action: "user.export",
        actorId: "admin",
        detail: expect.objectContaining({ filter: { role: "admin" } }),
      }),
    );
    const delivery = (await it.as("admin").deliveries.export({})).ticket;
    await expect(it.as("admin").users.exportPage({ ticket: delivery, cursor: null })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(it.as("developer").users.exportPage({ ticket, cursor: null })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(it.as("admin", undefined, { authTime: it.deps.now() - 3_600 }).users.export({})).rejects.toMatchObject(
      {
        code: "UNAUTHORIZED",
      },
    );
  });
});
