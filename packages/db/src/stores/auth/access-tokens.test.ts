import { idOfHash, sha256 } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { ADA, GOOD, openAuthStore } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";
import { findPublicPicture, removePicture, savePicture } from "../accounts/profile.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { freshHash, aCode, anAccessToken, aRefreshFamily, aSession, switched } = it;

  describe("access tokens", () => {
    test("come back as saved, with grant status and user", async () => {
      const token = await anAccessToken();
      expect(await it.store.findAccessToken(token.hash)).toEqual({ ...token, ...GOOD, revokedAt: null, user: ADA });
      expect(await it.store.findAccessToken(sha256("guess"))).toBeUndefined();
    });

    test("an opaque one has part of its hash as its id, a JWT the id that it says", async () => {
      const [opaque, jwt] = [freshHash("opaque"), freshHash("jwt")];
      const token = await anAccessToken();
      for (const [hash, id] of [
        [opaque, idOfHash(opaque)],
        [jwt, "of-the-jwt"],
      ] as const) {
        await it.store.saveAccessToken({ ...token, hash, id });
        expect(await it.store.findAccessToken(hash)).toMatchObject({ hash, id });
      }
      const rows = await it.database.db.select().from(it.database.db.tables.accessTokens);
      expect([opaque, jwt].map((hash) => rows.find((row) => row.hash === hash)?.id)).toEqual([null, "of-the-jwt"]);
    });

    test("OI-05 the user comes with the picture, and the URL of an earlier one ends with it", async () => {
      const { hash } = await anAccessToken();
      const userOfToken = async () => (await it.store.findAccessToken(hash))?.user;
      const image = { type: "image/webp", bytes: Buffer.from("x"), userId: "ada" } as const;
      await savePicture(it.database.db, { ...image, pictureId: "first" }, NOW);
      expect(await userOfToken()).toEqual({ ...ADA, pictureId: "first", profileChangedAt: NOW });
      await savePicture(it.database.db, { ...image, pictureId: "second" }, NOW + 1);
      expect(await findPublicPicture(it.database.db, "first")).toBeUndefined();
      expect(await findPublicPicture(it.database.db, "second")).toMatchObject({ type: "image/webp" });
      expect(await removePicture(it.database.db, { userId: "ada" }, NOW + 2)).toBe(true);
      expect(await findPublicPicture(it.database.db, "second")).toBeUndefined();
      expect(await userOfToken()).toEqual({ ...ADA, profileChangedAt: NOW + 2 });
      expect(await removePicture(it.database.db, { userId: "ada" }, NOW + 3)).toBe(false);
      expect(await userOfToken()).toEqual({ ...ADA, profileChangedAt: NOW + 2 });
      await it.database.db.update(it.database.db.tables.users).set({ profileChangedAt: null });
    });

    test("OI-05 the user comes with the language that the account has now", async () => {
      const { hash } = await anAccessToken();
      const { users } = it.database.db.tables;
      const choose = (locale: string | null) =>
        it.database.db.update(users).set({ locale }).where(eq(users.email, ADA.email));
      await choose("de");
      expect((await it.store.findAccessToken(hash))?.user).toEqual({ ...ADA, locale: "de" });
      await choose(null);
      expect((await it.store.findAccessToken(hash))?.user).toEqual(ADA);
    });

    test("CC: a client's own token has neither grant nor user", async () => {
      const token = await anAccessToken({ grantId: null, userId: null });
      expect(await it.store.findAccessToken(token.hash)).toEqual({ ...token, ...GOOD, revokedAt: null, user: null });
    });

    test("an expired one is returned, for the caller to reject", async () => {
      const { hash } = await anAccessToken({ expiresAt: NOW - 3 });
      expect(await it.store.findAccessToken(hash)).toMatchObject({ expiresAt: NOW - 3 });
    });

    test("RV: revoked at once, and the first instant stays", async () => {
      const { hash } = await anAccessToken();
      await it.store.revokeAccessToken(hash, NOW + 1);
      await it.store.revokeAccessToken(hash, NOW + 9);
      expect(await it.store.findAccessToken(hash)).toMatchObject({ revokedAt: NOW + 1 });
      await it.store.revokeAccessToken(sha256("guess"), NOW);
    });

    test("RV: of an earlier epoch of their client they count as revoked, and those of the current one do not", async () => {
      const { db } = it.database;
      const { tables } = db;
      const [before, revoked] = [await anAccessToken({ grantId: null, userId: null }), await anAccessToken()];
      await it.store.revokeAccessToken(revoked.hash, NOW + 1);
      const moveTo = (accessEpoch: number) =>
        db.update(tables.clients).set({ accessEpoch }).where(eq(tables.clients.id, "shop-dev"));
      await moveTo(7);
      const late = await anAccessToken(); // by a request that read the client before
      const current = await anAccessToken({ clientEpoch: (await it.store.findClient("shop-dev"))?.accessEpoch ?? 0 });
      const tokens = [before, revoked, late, current];
      const ends = [0, NOW + 1, 0, null];
      for (const [at, { hash }] of tokens.entries())
        expect((await it.store.findAccessToken(hash))?.revokedAt).toBe(ends[at]);
      const chain = await it.store.findAccessTokens(tokens.map(({ hash }) => hash));
      expect(tokens.map(({ hash }) => chain.find((one) => one.hash === hash)?.revokedAt)).toEqual(ends);
      await moveTo(0);
    });

    test("TX-01: several are found at once, with what ended each of them; what is gone is left out", async () => {
      const tokens = [await anAccessToken(), await anAccessToken(), await anAccessToken()];
      const hashes = [...tokens.map(({ hash }) => hash), sha256("guess")];
      const read = async () => {
        const found = await it.store.findAccessTokens(hashes);
        return tokens.map(({ hash }) => found.find((one) => one.hash === hash)?.revokedAt);
      };
      expect(await read()).toEqual([null, null, null]);
      expect(await it.store.findAccessTokens(hashes)).toHaveLength(3);
      await it.store.revokeAccessToken(tokens[1]?.hash ?? sha256("none"), NOW + 1);
      expect(await read()).toEqual([null, NOW + 1, null]);
      await it.store.revokeGrant(tokens[2]?.grantId ?? "none", "test", NOW + 2);
      expect((await it.store.findAccessTokens(hashes)).find(({ hash }) => hash === tokens[2]?.hash)).toMatchObject({
        grantRevokedAt: NOW + 2,
      });
    });

    test("of every kind are dead while their client or user is disabled", async () => {
      const [access, refresh, code, session] = [
        await anAccessToken(),
        await aRefreshFamily(),
        await aCode(),
        await aSession(),
      ];
      const statuses = async () => [await it.store.findAccessToken(access.hash), await it.store.findCode(code.hash)];
      const family = () => it.store.findRefreshFamily(refresh.id); // its client is the one that authenticates with it
      await switched("client", true);
      for (const found of await statuses()) expect(found).toMatchObject({ clientEnabled: false });
      expect(await it.store.findClient("shop-dev")).toMatchObject({ enabled: false });
      await switched("client", false);

      await switched("user", true);
      for (const found of await statuses()) expect(found).toMatchObject({ clientEnabled: true, userDisabledAt: NOW });
      expect(await family()).toMatchObject({ userDisabledAt: NOW });
      expect(await it.store.findSession(session.hash)).toMatchObject({ user: { id: "ada", disabledAt: NOW } });
      await switched("user", false);
      for (const found of await statuses()) expect(found).toMatchObject(GOOD);
      expect(await family()).toMatchObject({ grantRevokedAt: null, userDisabledAt: null });
    });

    test("a token left behind by a deleted user is dead", async () => {
      const { db } = it.database;
      const { tables } = db;
      await db
        .insert(tables.users)
        .values({ id: "gone", email: "gone@x", name: "", passwordHash: "", role: "user", createdAt: NOW });
      const { hash } = await anAccessToken({ grantId: null, userId: "gone" });
      await db.delete(tables.users).where(eq(tables.users.id, "gone"));
      expect(await it.store.findAccessToken(hash)).toMatchObject({ userDisabledAt: 0, user: null });
    });
  });
});
