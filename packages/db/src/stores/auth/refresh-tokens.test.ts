import { type NewRefreshFamily, type Rotation, sha256 } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import * as postgresSchema from "../../schema/postgres/index.ts";
import * as sqliteSchema from "../../schema/sqlite/index.ts";
import { ADA, openAuthStore, winners } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";
import { aRotation } from "../../testing/refresh-families.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { fresh, aGrant, anAccessToken, aRefreshFamily, bought } = it;

  describe("refresh tokens", () => {
    const rotation = (from: NewRefreshFamily, change: Partial<Rotation> = {}): Rotation => ({
      ...aRotation("presented", fresh("successor"), { rotatedAt: NOW + 1, expiresAt: NOW + 1500 }),
      presentedHash: from.currentHash,
      ...change,
    });
    const access = async () => bought(await aGrant()).accessToken;

    test("RT-10 a family comes back as saved, and after a rotation with what the retry window needs", async () => {
      const family = await aRefreshFamily();
      const of = { clientId: "shop-dev", userId: "ada", grantRevokedAt: null, userDisabledAt: null, user: ADA };
      const never = {
        generation: 0,
        previousHash: null,
        rotatedAt: null,
        rotationId: null,
        accessExpiresAt: null,
        sealedResponse: null,
      };
      expect(await it.store.findRefreshFamily(family.id)).toEqual({ ...family, ...of, ...never });
      const context = { dpopJkt: "key", amr: ["pwd"] };
      const { presentedHash, successorHash, ...told } = rotation(family, {
        context,
        boundFrom: 1,
        sealedResponse: "sealed",
      });
      const accessToken = await access();
      expect(
        await it.store.rotateRefreshFamily(family.id, { presentedHash, successorHash, ...told }, accessToken),
      ).toBe(true);
      const hashes = { currentHash: successorHash, previousHash: presentedHash };
      expect(await it.store.findRefreshFamily(family.id)).toEqual({
        ...family,
        ...of,
        ...told,
        ...hashes,
        generation: 1,
      });
      expect(await it.store.findAccessToken(accessToken.hash)).toBeDefined();
      expect(await it.store.findRefreshFamily("guess")).toBeUndefined();
    });

    test("RT-02 RT-10: of 50 parallel rotations exactly one wins, and only its access token is written", async () => {
      const family = await aRefreshFamily();
      const attempts = await Promise.all(
        Array.from({ length: 50 }, async () => [rotation(family), await access()] as const),
      );
      const won = await Promise.all(
        attempts.map(([turn, token]) => it.store.rotateRefreshFamily(family.id, turn, token)),
      );
      expect(winners(won)).toBe(1);
      const written = await Promise.all(
        attempts.map(async ([, token]) => (await it.store.findAccessToken(token.hash)) !== undefined),
      );
      expect(written).toEqual(won);
      const [winner] = attempts[won.indexOf(true)] ?? [];
      expect(await it.store.findRefreshFamily(family.id)).toMatchObject({
        generation: 1,
        currentHash: winner?.successorHash,
      });
    });

    test("OP-37 after 1,000 rotations a family is still one row", async () => {
      const family = await aRefreshFamily();
      let presentedHash = family.currentHash;
      for (let turn = 0; turn < 1000; turn++) {
        const next = rotation(family, { presentedHash });
        expect(await it.store.rotateRefreshFamily(family.id, next, bought(family.grantId).accessToken)).toBe(true);
        presentedHash = next.successorHash;
      }
      const { refreshFamilies } = it.database.db.tables;
      const rows = await it.database.db
        .select()
        .from(refreshFamilies)
        .where(eq(refreshFamilies.grantId, family.grantId));
      expect(rows).toMatchObject([{ generation: 1000, currentHash: presentedHash }]);
    });

    test("OP-37 a rotation changes no column that an index has, so it writes none", async () => {
      const { refreshFamilies } = it.database.db.tables;
      const family = await aRefreshFamily();
      const row = async () =>
        (await it.database.db.select().from(refreshFamilies).where(eq(refreshFamilies.id, family.id)))[0];
      const before = Object.entries((await row()) ?? {});
      const next = rotation(family, { context: { dpopJkt: "key" }, boundFrom: 1, sealedResponse: "sealed" });
      await it.store.rotateRefreshFamily(family.id, next, await access());
      const after = Object.entries((await row()) ?? {});
      const isSame = ([name, value]: [string, unknown]) =>
        before.some(([other, old]) => other === name && old === value);
      const unchanged = after.filter(isSame).map(([name]) => name);
      expect(unchanged.toSorted()).toEqual(["absoluteExpiresAt", "audience", "createdAt", "grantId", "id", "scope"]);
      for (const { indexes } of [
        lite.getTableConfig(sqliteSchema.refreshFamilies),
        pg.getTableConfig(postgresSchema.refreshFamilies),
      ]) {
        const indexed = indexes.flatMap(({ config }) =>
          config.columns.map((column) => ("name" in column ? column.name : undefined)),
        );
        expect(indexed.toSorted()).toEqual(["absolute_expires_at", "grant_id"]);
      }
    });

    test.each<[string, Partial<NewRefreshFamily>, Partial<Rotation>]>([
      ["was idle for too long", { expiresAt: NOW + 1 }, {}],
      ["is past its absolute expiry", { absoluteExpiresAt: NOW + 1 }, {}],
      ["has another current token", {}, { presentedHash: sha256("another") }],
    ])("a family that %s is not rotated though the row is there", async (_, change, presented) => {
      const family = await aRefreshFamily(change);
      const accessToken = await access();
      expect(await it.store.rotateRefreshFamily(family.id, rotation(family, presented), accessToken)).toBe(false);
      expect(await it.store.findRefreshFamily(family.id)).toMatchObject({
        generation: 0,
        currentHash: family.currentHash,
      });
      expect(await it.store.findAccessToken(accessToken.hash)).toBeUndefined();
    });

    test("a token is not spent if the access token cannot be written", async () => {
      const family = await aRefreshFamily();
      const taken = await anAccessToken();
      await expect(it.store.rotateRefreshFamily(family.id, rotation(family), taken)).rejects.toThrow();
      expect(await it.store.findRefreshFamily(family.id)).toMatchObject({
        generation: 0,
        currentHash: family.currentHash,
        rotatedAt: null,
      });
    });

    test("CF-24: a client that keeps its token can use it many times at once", async () => {
      const family = await aRefreshFamily();
      const use = { presentedHash: family.currentHash, now: NOW, expiresAt: NOW + 1500 };
      const tokens = Array.from({ length: 8 }, () => bought(family.grantId).accessToken);
      const used = await Promise.all(tokens.map((token) => it.store.extendRefreshFamily(family.id, use, token)));
      expect(used).toEqual(tokens.map(() => true));
      for (const { hash } of tokens) expect(await it.store.findAccessToken(hash)).toBeDefined();
    });

    test("RT-07: the idle expiry is extended together with the access token, but not for a spent token", async () => {
      const [kept, used] = [await aRefreshFamily(), await aRefreshFamily()];
      await it.store.rotateRefreshFamily(used.id, rotation(used), await access());
      const [first, second] = [await access(), await access()];
      const use = ({ currentHash }: NewRefreshFamily) => ({
        presentedHash: currentHash,
        now: NOW + 2,
        expiresAt: NOW + 77,
      });
      expect(await it.store.extendRefreshFamily(kept.id, use(kept), first)).toBe(true);
      expect(await it.store.extendRefreshFamily(used.id, use(used), second)).toBe(false);
      expect(await it.store.findRefreshFamily(kept.id)).toMatchObject({
        expiresAt: NOW + 77,
        currentHash: kept.currentHash,
        generation: 0,
      });
      expect(await it.store.findRefreshFamily(used.id)).toMatchObject({ expiresAt: NOW + 1500 });
      expect([await it.store.findAccessToken(first.hash), await it.store.findAccessToken(second.hash)]).toEqual([
        expect.anything(),
        undefined,
      ]);
    });

    test("CO-44 a family without its grant is gone, also if the client comes back", async () => {
      const family = await aRefreshFamily();
      const { grants } = it.database.db.tables;
      await it.database.db.delete(grants).where(eq(grants.id, family.grantId));
      expect(await it.store.findRefreshFamily(family.id)).toBeUndefined();
    });
  });
});
