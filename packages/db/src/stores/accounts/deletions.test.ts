import { describe, expect, test } from "vitest";
import { openAccountStore } from "../../testing/account-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { hasAdmin } from "./users.ts";

describe.each(engines)("registration on $name", ({ open }) => {
  const it = openAccountStore(open);
  const { people, set, session, live } = it;

  describe("RG-10 a deletion", () => {
    const deleteAfter = NOW + 7 * 86_400;

    test("ends all access at once, and can be taken back", async () => {
      await session("ada");
      expect(await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW)).toBe(true);
      expect(await live("ada")).toEqual([]);
      expect(await people().restoreAccount({ userId: "ada", deleteAfter: deleteAfter + 1 }, {})).toBe(false);
      expect(await people().restoreAccount({ userId: "ada", deleteAfter }, {})).toBe(true);
      expect(await people().findAccount("ada")).toMatchObject({ deleteAfter: null });
      expect(await live("ada")).toEqual([]);
    });

    test("tells the clients of every session, by back-channel logout", async () => {
      const { db } = it.database;
      const { tables } = db;
      await db.update(tables.clients).set({ options: { backchannelLogoutUri: "https://shop.example/logout" } });
      for (const name of ["here", "there"]) {
        await session("ada", name);
        const grant = {
          id: name,
          userId: "ada",
          clientId: "shop-dev",
          scope: "openid",
          sessionId: name,
          accessEpoch: 0,
          createdAt: NOW,
        };
        await createAuthStore(it.database.db).saveGrant(grant);
      }
      expect(await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW)).toBe(true);
      const told = (await db.select().from(tables.jobs)).map(({ payload }) => payload);
      expect(told).toHaveLength(2);
      for (const sessionId of ["here", "there"])
        expect(told).toContainEqual({ clientId: "shop-dev", userId: "ada", sessionId });
    });

    test("is refused for the last admin, also for two admins at once", async () => {
      await set("ada", { role: "admin" });
      expect(await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW)).toBe(false);
      await set("bob", { role: "admin" });
      const both = await Promise.all(
        ["ada", "bob"].map((userId) => people().requestDeletion({ userId, deleteAfter }, {}, NOW)),
      );
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await hasAdmin(it.database.db)).toBe(true);
    });

    test("deletes the row only after its grace period", async () => {
      await people().requestDeletion({ userId: "ada", deleteAfter }, {}, NOW);
      await people().deleteAccount("ada", deleteAfter - 1);
      expect(await people().findAccount("ada")).toBeDefined();
      await people().deleteAccount("ada", deleteAfter);
      expect(await people().findAccount("ada")).toBeUndefined();
    });
  });
});
