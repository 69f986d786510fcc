import { sha256 } from "@gatehouse/auth";
import { NEW_USER } from "@gatehouse/auth/testing";
import { describe, expect, test } from "vitest";
import { openAuthStore, race, winners } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { fresh, aSession } = it;

  describe("sessions", () => {
    test("come back with their user", async () => {
      const session = await aSession();
      const user = { id: "ada", email: "ada@example.com", name: "Ada", role: "user", disabledAt: null, ...NEW_USER };
      expect(await it.store.findSession(session.hash)).toEqual({ session: { ...session, revokedAt: null }, user });
      expect(await it.store.findSession(sha256("guess"))).toBeUndefined();
    });

    test("AC-10: several apps can be allowed in one session at once, and none in a session that ended", async () => {
      const { id } = await aSession();
      const allow = (grantId: string) =>
        it.store.saveGrant(
          {
            id: grantId,
            clientId: "shop-dev",
            userId: "ada",
            scope: "",
            sessionId: id,
            accessEpoch: 0,
            createdAt: NOW,
          },
          id,
        );
      const allowed = await Promise.all(Array.from({ length: 8 }, () => allow(fresh("grant"))));
      expect(allowed).toEqual(allowed.map(() => true));
      await it.store.revokeSession("ada", id, NOW);
      expect(await Promise.all([allow(fresh("grant")), allow(fresh("grant"))])).toEqual([false, false]);
    });

    test("slide with use, never past the absolute expiry, never back", async () => {
      const { hash } = await aSession();
      const slide = async (lastSeenAt: number, expiresAt: number) => {
        await it.store.touchSession(hash, { lastSeenAt, expiresAt });
        return (await it.store.findSession(hash))?.session.expiresAt;
      };
      expect(await slide(NOW + 100, NOW + 1100)).toBe(NOW + 1100);
      expect(await slide(NOW + 50, NOW + 1050)).toBe(NOW + 1100);
      expect(await slide(NOW + 1000, NOW + 9000)).toBe(NOW + 2000);
    });

    test("using an ended session does not revive it", async () => {
      const [idle, revoked] = [await aSession(), await aSession()];
      await it.store.revokeSession("ada", revoked.id, NOW + 1);
      await it.store.touchSession(revoked.hash, { lastSeenAt: NOW + 2, expiresAt: NOW + 1500 });
      await it.store.touchSession(idle.hash, { lastSeenAt: NOW + 1000, expiresAt: NOW + 1500 });
      for (const { hash } of [idle, revoked])
        expect((await it.store.findSession(hash))?.session.expiresAt).toBe(NOW + 1000);
    });

    test("lists only live ones, newest first, and only the user's own", async () => {
      const live = await aSession({ userId: "bob" });
      await aSession({ userId: "bob", expiresAt: NOW + 10 });
      await aSession({ userId: "bob", absoluteExpiresAt: NOW + 10 });
      expect((await it.store.listSessions("bob", NOW)).length).toBe(3);
      expect((await it.store.listSessions("bob", NOW + 10)).map(({ id }) => id)).toEqual([live.id]);
    });

    test("are revoked once, by their own user only", async () => {
      const { id, hash } = await aSession();
      expect(await it.store.revokeSession("bob", id, NOW)).toBe(false);
      expect(await it.store.revokeSession("ada", "guess", NOW)).toBe(false);
      expect(winners(await race(() => it.store.revokeSession("ada", id, NOW)))).toBe(1);
      expect(await it.store.findSession(hash)).toMatchObject({ session: { revokedAt: NOW } });
      const expired = await aSession({ expiresAt: NOW });
      expect(await it.store.revokeSession("ada", expired.id, NOW)).toBe(false);
    });
  });
});
