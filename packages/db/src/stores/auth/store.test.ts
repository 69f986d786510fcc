import { type Hash, idOfHash, type NewRefreshFamily, type Refusal, type Rotation, type Store, sha256 } from "@gatehouse/auth";
import { NEW_USER, PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as postgresSchema from "../../schema/postgres/index.ts";
import * as sqliteSchema from "../../schema/sqlite/index.ts";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, SHOWN, seed } from "../../testing/people.ts";
import { aFamily, aRotation } from "../../testing/refresh-families.ts";
import { findPublicPicture, removePicture, savePicture } from "../accounts/profile.ts";
import { createAuthStore } from "./store.ts";

const RACERS = 50;
const winners = (results: boolean[]) => results.filter(Boolean).length;
const race = (run: () => Promise<boolean>) => Promise.all(Array.from({ length: RACERS }, run));

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  let count = 0;
  const fresh = (kind: string) => `${kind}-${++count}`;
  const freshHash = (kind: string): Hash => sha256(fresh(kind));

  beforeAll(async () => {
    database = await open();
    await seed(database.handle);
    store = createAuthStore(database.handle);
  });
  afterAll(() => database.close());

  async function aGrant(change: { userId?: string; clientId?: string; scope?: string } = {}): Promise<string> {
    const id = fresh("grant");
    await store.saveGrant({
      id,
      userId: "ada",
      clientId: "shop-dev",
      scope: "api:read",
      sessionId: null,
      accessEpoch: 0,
      createdAt: NOW,
      ...change,
    });
    return id;
  }
  async function aCode(change: { expiresAt?: number } = {}) {
    const hash = freshHash("code");
    const code = {
      hash,
      grantId: await aGrant(),
      clientId: "shop-dev",
      userId: "ada",
      redirectUri: "http://localhost:4000/callback",
      codeChallenge: "challenge",
      context: null,
      scope: "api:read",
      audience: "https://gate.example/api https://stock.example/",
      authTime: NOW - 5,
      createdAt: NOW,
      expiresAt: NOW + 60,
      ...change,
    };
    await store.saveCode(code);
    return code;
  }
  type Change = { grantId?: string | null; userId?: string | null; clientId?: string; clientEpoch?: number; expiresAt?: number };
  async function anAccessToken(change: Change = {}) {
    const token = {
      hash: freshHash("access"),
      id: fresh("jti"),
      grantId: change.grantId === undefined ? await aGrant() : change.grantId,
      clientId: "shop-dev",
      userId: "ada",
      scope: "api:read",
      audience: "http://localhost:3000/api",
      clientEpoch: 0,
      context: null,
      environment: "development" as const,
      issuedAt: NOW,
      expiresAt: NOW + 600,
    };
    const row = { ...token, ...change, grantId: token.grantId };
    await store.saveAccessToken(row);
    return row;
  }
  async function aRefreshFamily(change: Partial<NewRefreshFamily> = {}) {
    const times = { createdAt: NOW, expiresAt: NOW + 1000, absoluteExpiresAt: NOW + 2000 };
    const family = aFamily(change.grantId ?? (await aGrant()), { ...times, ...change });
    await store.saveRefreshFamily(family);
    return family;
  }
  async function aDeviceCode(change: { userCode?: string; expiresAt?: number } = {}) {
    const row = {
      hash: freshHash("device"),
      userCode: fresh("UC"),
      clientId: "shop-dev",
      scope: "api:read",
      audience: null,
      requestedAddress: "127.0.0.1",
      requestedUserAgent: null,
      exemptionId: null,
      intervalSeconds: 5,
      createdAt: NOW,
      expiresAt: NOW + 600,
      ...change,
    };
    expect(await store.saveDeviceCode(row)).toBe(true);
    return row;
  }
  async function aSession(change: { userId?: string; expiresAt?: number; absoluteExpiresAt?: number } = {}) {
    const row = {
      hash: freshHash("session"),
      id: fresh("session-id"),
      userId: "ada",
      authTime: NOW,
      userAgent: null,
      address: null,
      ...PASSWORD_SIGN_IN,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 1000,
      absoluteExpiresAt: NOW + 2000,
      accessEpoch: 0,
      ...change,
    };
    await store.saveSession(row);
    return row;
  }
  async function switched(what: "client" | "user", off: boolean): Promise<void> {
    const { clients, users } = database.handle.tables;
    const disabledAt = off ? NOW : null;
    if (what === "client") await database.handle.db.update(clients).set({ disabledAt }).where(eq(clients.id, "shop-dev"));
    else await database.handle.db.update(users).set({ disabledAt }).where(eq(users.id, "ada"));
  }
  /** The two tokens that a code or a refresh token is spent for. */
  function bought(grantId: string) {
    const common = {
      context: null,
      grantId,
      clientId: "shop-dev",
      userId: "ada",
      scope: "api:read",
      audience: "http://localhost:3000/api",
    };
    const access = { id: fresh("jti"), clientEpoch: 0, environment: "development" as const, issuedAt: NOW, expiresAt: NOW + 600 };
    const times = { createdAt: NOW, expiresAt: NOW + 1000, absoluteExpiresAt: NOW + 2000 };
    return {
      accessToken: { ...common, ...access, hash: freshHash("access") },
      refreshFamily: aFamily(grantId, { ...times, id: fresh("family") }),
    };
  }
  const isThere = async ({ accessToken, refreshFamily }: ReturnType<typeof bought>) => [
    (await store.findAccessToken(accessToken.hash)) !== undefined,
    (await store.findRefreshFamily(refreshFamily.id)) !== undefined,
  ];
  const GOOD = { grantRevokedAt: null, clientEnabled: true, userDisabledAt: null };
  const ADA = {
    email: "ada@example.com",
    name: "Ada",
    role: "user",
    emailVerifiedAt: null,
    locale: null,
    pictureId: null,
    profileChangedAt: null,
  };

  describe("clients", () => {
    test("are found with their application's name and their secrets", async () => {
      expect(await store.findClient("shop-dev")).toEqual({
        accessEpoch: 0,
        clientId: "shop-dev",
        applicationId: "shop",
        applicationName: "Demo shop",
        environment: "development",
        type: "web",
        redirectUris: ["http://localhost:4000/callback"],
        postLogoutRedirectUris: [],
        scopes: ["openid", "api:read"],
        grantTypes: ["authorization_code", "refresh_token"],
        firstParty: false,
        resourceServer: false,
        enabled: true,
        refreshRetrySeconds: 30,
        options: {},
        origin: "registered",
        secrets: [{ id: "secret-1", hash: sha256("s"), createdAt: NOW, expiresAt: null, revokedAt: null }],
      });
      expect(await store.findClient("shop-prod")).toMatchObject({ secrets: [], firstParty: true });
    });

    test.each(["nobody", "", "shop-dev\0", "x".repeat(10_000), "'; drop table clients; --"])("unknown: %j", async (clientId) => {
      expect(await store.findClient(clientId)).toBeUndefined();
    });

    test("D11: a secret is found within its application only", async () => {
      expect(await store.findSecretOwner("shop", sha256("s"))).toEqual({ clientId: "shop-dev", environment: "development" });
      expect(await store.findSecretOwner("another application", sha256("s"))).toBeUndefined();
      expect(await store.findSecretOwner("shop", sha256("guess"))).toBeUndefined();
    });

    test("a secret's use is recorded at most once a minute", async () => {
      const { clientSecrets } = database.handle.tables;
      const lastUsedAt = async () => (await database.handle.db.select().from(clientSecrets))[0]?.lastUsedAt;
      for (const [at, noted] of [
        [NOW, NOW],
        [NOW + 59, NOW],
        [NOW + 60, NOW + 60],
      ] as const) {
        await store.touchClientSecret("secret-1", at);
        expect(await lastUsedAt()).toBe(noted);
      }
      await createAuthStore(database.handle).touchClientSecret("secret-1", NOW + 61); // another process
      expect(await lastUsedAt()).toBe(NOW + 60);
    });
  });

  describe("authorization codes", () => {
    test("come back as saved, with the status of their grant, client and user", async () => {
      const code = await aCode();
      expect(await store.findCode(code.hash)).toEqual({ ...code, ...GOOD, redeemedAt: null, failedAttempts: 0, user: ADA });
      expect(await store.findCode(sha256("guess"))).toBeUndefined();
    });

    test("AC-03: of 50 parallel redemptions exactly one wins, and a replay is recognised", async () => {
      const { hash, grantId } = await aCode();
      expect(winners(await race(() => store.redeemCode(hash, NOW, bought(grantId))))).toBe(1);
      expect(await store.findCode(hash)).toMatchObject({ redeemedAt: NOW });
    });

    test("AC-03: the tokens exist if and only if the code was redeemed", async () => {
      const { hash, grantId } = await aCode();
      const [first, second] = [bought(grantId), bought(grantId)];
      expect(await store.redeemCode(hash, NOW, first)).toBe(true);
      expect(await store.redeemCode(hash, NOW, second)).toBe(false);
      expect([await isThere(first), await isThere(second)]).toEqual([
        [true, true],
        [false, false],
      ]);
    });

    test("an expired code is not redeemed though its row is there", async () => {
      const { hash, grantId } = await aCode({ expiresAt: NOW });
      expect(await store.redeemCode(hash, NOW, bought(grantId))).toBe(false);
    });

    test("TK-14: many codes that are redeemed at once, some of them twice and one that is spent, buy one set of tokens each", async () => {
      const codes = await Promise.all(Array.from({ length: 12 }, aCode));
      const [spent] = codes as [Awaited<ReturnType<typeof aCode>>];
      expect(await store.redeemCode(spent.hash, NOW, bought(spent.grantId))).toBe(true);
      const attempts = [...codes, ...codes].map(({ hash, grantId }) => ({ hash, tokens: bought(grantId) }));
      const won = await Promise.all(attempts.map(({ hash, tokens }) => store.redeemCode(hash, NOW, tokens)));
      for (const { hash } of codes)
        expect(won.filter((one, at) => one && attempts[at]?.hash === hash)).toHaveLength(hash === spent.hash ? 0 : 1);
      for (const [at, { tokens }] of attempts.entries()) expect(await isThere(tokens)).toEqual([won[at], won[at]]);
    });

    test("PK-06: dies at the fifth wrong verifier, also when they race", async () => {
      const { hash, grantId } = await aCode();
      await Promise.all(Array.from({ length: 4 }, () => store.countFailedVerifier(hash)));
      expect(await store.findCode(hash)).toMatchObject({ failedAttempts: 4 });
      await store.countFailedVerifier(hash);
      expect(await store.redeemCode(hash, NOW, bought(grantId))).toBe(false);
    });

    test("AC-04: after a replay no token of the grant is live, nor one still being written", async () => {
      const code = await aCode();
      const before = await anAccessToken({ grantId: code.grantId });
      await store.revokeGrant(code.grantId, "code replayed", NOW + 1);
      const after = await anAccessToken({ grantId: code.grantId });
      const refresh = await aRefreshFamily({ grantId: code.grantId });
      for (const found of [
        await store.findAccessToken(before.hash),
        await store.findAccessToken(after.hash),
        await store.findRefreshFamily(refresh.id),
        await store.findCode(code.hash),
      ]) {
        expect(found).toMatchObject({ grantRevokedAt: NOW + 1 });
      }
      await store.revokeGrant(code.grantId, "again", NOW + 2);
      expect(await store.findCode(code.hash)).toMatchObject({ grantRevokedAt: NOW + 1 });
    });
  });

  describe("access tokens", () => {
    test("come back as saved, with grant status and user", async () => {
      const token = await anAccessToken();
      expect(await store.findAccessToken(token.hash)).toEqual({ ...token, ...GOOD, revokedAt: null, user: ADA });
      expect(await store.findAccessToken(sha256("guess"))).toBeUndefined();
    });

    test("an opaque one has part of its hash as its id, a JWT the id that it says", async () => {
      const [opaque, jwt] = [freshHash("opaque"), freshHash("jwt")];
      const token = await anAccessToken();
      for (const [hash, id] of [
        [opaque, idOfHash(opaque)],
        [jwt, "of-the-jwt"],
      ] as const) {
        await store.saveAccessToken({ ...token, hash, id });
        expect(await store.findAccessToken(hash)).toMatchObject({ hash, id });
      }
      const rows = await database.handle.db.select().from(database.handle.tables.accessTokens);
      expect([opaque, jwt].map((hash) => rows.find((row) => row.hash === hash)?.id)).toEqual([null, "of-the-jwt"]);
    });

    test("OI-05 the user comes with the picture, and the URL of an earlier one ends with it", async () => {
      const { hash } = await anAccessToken();
      const userOfToken = async () => (await store.findAccessToken(hash))?.user;
      const image = { type: "image/webp", bytes: Buffer.from("x"), userId: "ada" } as const;
      await savePicture(database.handle, { ...image, pictureId: "first" }, NOW);
      expect(await userOfToken()).toEqual({ ...ADA, pictureId: "first", profileChangedAt: NOW });
      await savePicture(database.handle, { ...image, pictureId: "second" }, NOW + 1);
      expect(await findPublicPicture(database.handle, "first")).toBeUndefined();
      expect(await findPublicPicture(database.handle, "second")).toMatchObject({ type: "image/webp" });
      expect(await removePicture(database.handle, { userId: "ada" }, NOW + 2)).toBe(true);
      expect(await findPublicPicture(database.handle, "second")).toBeUndefined();
      expect(await userOfToken()).toEqual({ ...ADA, profileChangedAt: NOW + 2 });
      expect(await removePicture(database.handle, { userId: "ada" }, NOW + 3)).toBe(false);
      expect(await userOfToken()).toEqual({ ...ADA, profileChangedAt: NOW + 2 });
      await database.handle.db.update(database.handle.tables.users).set({ profileChangedAt: null });
    });

    test("OI-05 the user comes with the language that the account has by now", async () => {
      const { hash } = await anAccessToken();
      const { users } = database.handle.tables;
      const choose = (locale: string | null) => database.handle.db.update(users).set({ locale }).where(eq(users.email, ADA.email));
      await choose("de");
      expect((await store.findAccessToken(hash))?.user).toEqual({ ...ADA, locale: "de" });
      await choose(null);
      expect((await store.findAccessToken(hash))?.user).toEqual(ADA);
    });

    test("CC: a client's own token has neither grant nor user", async () => {
      const token = await anAccessToken({ grantId: null, userId: null });
      expect(await store.findAccessToken(token.hash)).toEqual({ ...token, ...GOOD, revokedAt: null, user: null });
    });

    test("an expired one is returned, for the caller to reject", async () => {
      const { hash } = await anAccessToken({ expiresAt: NOW - 3 });
      expect(await store.findAccessToken(hash)).toMatchObject({ expiresAt: NOW - 3 });
    });

    test("RV: revoked at once, and the first instant stays", async () => {
      const { hash } = await anAccessToken();
      await store.revokeAccessToken(hash, NOW + 1);
      await store.revokeAccessToken(hash, NOW + 9);
      expect(await store.findAccessToken(hash)).toMatchObject({ revokedAt: NOW + 1 });
      await store.revokeAccessToken(sha256("guess"), NOW);
    });

    test("RV: of an earlier epoch of their client they count as revoked, and those of the current one do not", async () => {
      const { db, tables } = database.handle;
      const [before, revoked] = [await anAccessToken({ grantId: null, userId: null }), await anAccessToken()];
      await store.revokeAccessToken(revoked.hash, NOW + 1);
      const moveTo = (accessEpoch: number) => db.update(tables.clients).set({ accessEpoch }).where(eq(tables.clients.id, "shop-dev"));
      await moveTo(7);
      const late = await anAccessToken(); // by a request that read the client before
      const current = await anAccessToken({ clientEpoch: (await store.findClient("shop-dev"))?.accessEpoch ?? 0 });
      const tokens = [before, revoked, late, current];
      const ends = [0, NOW + 1, 0, null];
      for (const [at, { hash }] of tokens.entries()) expect((await store.findAccessToken(hash))?.revokedAt).toBe(ends[at]);
      const chain = await store.findAccessTokens(tokens.map(({ hash }) => hash));
      expect(tokens.map(({ hash }) => chain.find((one) => one.hash === hash)?.revokedAt)).toEqual(ends);
      await moveTo(0);
    });

    test("TX-01: several are found at once, with what ended each of them; what is gone is left out", async () => {
      const tokens = [await anAccessToken(), await anAccessToken(), await anAccessToken()];
      const hashes = [...tokens.map(({ hash }) => hash), sha256("guess")];
      const read = async () => {
        const found = await store.findAccessTokens(hashes);
        return tokens.map(({ hash }) => found.find((one) => one.hash === hash)?.revokedAt);
      };
      expect(await read()).toEqual([null, null, null]);
      expect(await store.findAccessTokens(hashes)).toHaveLength(3);
      await store.revokeAccessToken(tokens[1]?.hash ?? sha256("none"), NOW + 1);
      expect(await read()).toEqual([null, NOW + 1, null]);
      await store.revokeGrant(tokens[2]?.grantId ?? "none", "test", NOW + 2);
      expect((await store.findAccessTokens(hashes)).find(({ hash }) => hash === tokens[2]?.hash)).toMatchObject({
        grantRevokedAt: NOW + 2,
      });
    });

    test("of every kind are dead while their client or user is disabled", async () => {
      const [access, refresh, code, session] = [await anAccessToken(), await aRefreshFamily(), await aCode(), await aSession()];
      const statuses = async () => [await store.findAccessToken(access.hash), await store.findCode(code.hash)];
      const family = () => store.findRefreshFamily(refresh.id); // its client is the one that authenticates with it
      await switched("client", true);
      for (const found of await statuses()) expect(found).toMatchObject({ clientEnabled: false });
      expect(await store.findClient("shop-dev")).toMatchObject({ enabled: false });
      await switched("client", false);

      await switched("user", true);
      for (const found of await statuses()) expect(found).toMatchObject({ clientEnabled: true, userDisabledAt: NOW });
      expect(await family()).toMatchObject({ userDisabledAt: NOW });
      expect(await store.findSession(session.hash)).toMatchObject({ user: { id: "ada", disabledAt: NOW } });
      await switched("user", false);
      for (const found of await statuses()) expect(found).toMatchObject(GOOD);
      expect(await family()).toMatchObject({ grantRevokedAt: null, userDisabledAt: null });
    });

    test("a token left behind by a deleted user is dead", async () => {
      const { db, tables } = database.handle;
      await db.insert(tables.users).values({ id: "gone", email: "gone@x", name: "", passwordHash: "", role: "user", createdAt: NOW });
      const { hash } = await anAccessToken({ grantId: null, userId: "gone" });
      await db.delete(tables.users).where(eq(tables.users.id, "gone"));
      expect(await store.findAccessToken(hash)).toMatchObject({ userDisabledAt: 0, user: null });
    });
  });

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
      const never = { generation: 0, previousHash: null, rotatedAt: null, rotationId: null, accessExpiresAt: null, sealedResponse: null };
      expect(await store.findRefreshFamily(family.id)).toEqual({ ...family, ...of, ...never });
      const context = { dpopJkt: "key", amr: ["pwd"] };
      const { presentedHash, successorHash, ...told } = rotation(family, { context, boundFrom: 1, sealedResponse: "sealed" });
      const accessToken = await access();
      expect(await store.rotateRefreshFamily(family.id, { presentedHash, successorHash, ...told }, accessToken)).toBe(true);
      const hashes = { currentHash: successorHash, previousHash: presentedHash };
      expect(await store.findRefreshFamily(family.id)).toEqual({ ...family, ...of, ...told, ...hashes, generation: 1 });
      expect(await store.findAccessToken(accessToken.hash)).toBeDefined();
      expect(await store.findRefreshFamily("guess")).toBeUndefined();
    });

    test("RT-02 RT-10: of 50 parallel rotations exactly one wins, and only its access token is written", async () => {
      const family = await aRefreshFamily();
      const attempts = await Promise.all(Array.from({ length: 50 }, async () => [rotation(family), await access()] as const));
      const won = await Promise.all(attempts.map(([turn, token]) => store.rotateRefreshFamily(family.id, turn, token)));
      expect(winners(won)).toBe(1);
      const written = await Promise.all(attempts.map(async ([, token]) => (await store.findAccessToken(token.hash)) !== undefined));
      expect(written).toEqual(won);
      const [winner] = attempts[won.indexOf(true)] ?? [];
      expect(await store.findRefreshFamily(family.id)).toMatchObject({ generation: 1, currentHash: winner?.successorHash });
    });

    test("OP-37 after 1,000 rotations a family is still one row", async () => {
      const family = await aRefreshFamily();
      let presentedHash = family.currentHash;
      for (let turn = 0; turn < 1000; turn++) {
        const next = rotation(family, { presentedHash });
        expect(await store.rotateRefreshFamily(family.id, next, bought(family.grantId).accessToken)).toBe(true);
        presentedHash = next.successorHash;
      }
      const { refreshFamilies } = database.handle.tables;
      const rows = await database.handle.db.select().from(refreshFamilies).where(eq(refreshFamilies.grantId, family.grantId));
      expect(rows).toMatchObject([{ generation: 1000, currentHash: presentedHash }]);
    });

    test("OP-37 a rotation changes no column that an index has, so it writes none", async () => {
      const { refreshFamilies } = database.handle.tables;
      const family = await aRefreshFamily();
      const row = async () => (await database.handle.db.select().from(refreshFamilies).where(eq(refreshFamilies.id, family.id)))[0];
      const before = Object.entries((await row()) ?? {});
      const next = rotation(family, { context: { dpopJkt: "key" }, boundFrom: 1, sealedResponse: "sealed" });
      await store.rotateRefreshFamily(family.id, next, await access());
      const after = Object.entries((await row()) ?? {});
      const isSame = ([name, value]: [string, unknown]) => before.some(([other, old]) => other === name && old === value);
      const unchanged = after.filter(isSame).map(([name]) => name);
      expect(unchanged.toSorted()).toEqual(["absoluteExpiresAt", "audience", "createdAt", "grantId", "id", "scope"]);
      for (const { indexes } of [lite.getTableConfig(sqliteSchema.refreshFamilies), pg.getTableConfig(postgresSchema.refreshFamilies)]) {
        const indexed = indexes.flatMap(({ config }) => config.columns.map((column) => ("name" in column ? column.name : undefined)));
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
      expect(await store.rotateRefreshFamily(family.id, rotation(family, presented), accessToken)).toBe(false);
      expect(await store.findRefreshFamily(family.id)).toMatchObject({ generation: 0, currentHash: family.currentHash });
      expect(await store.findAccessToken(accessToken.hash)).toBeUndefined();
    });

    test("a token is not spent if the access token cannot be written", async () => {
      const family = await aRefreshFamily();
      const taken = await anAccessToken();
      await expect(store.rotateRefreshFamily(family.id, rotation(family), taken)).rejects.toThrow();
      expect(await store.findRefreshFamily(family.id)).toMatchObject({ generation: 0, currentHash: family.currentHash, rotatedAt: null });
    });

    test("CF-24: a client that keeps its token can use it many times at once", async () => {
      const family = await aRefreshFamily();
      const use = { presentedHash: family.currentHash, now: NOW, expiresAt: NOW + 1500 };
      const tokens = Array.from({ length: 8 }, () => bought(family.grantId).accessToken);
      const used = await Promise.all(tokens.map((token) => store.extendRefreshFamily(family.id, use, token)));
      expect(used).toEqual(tokens.map(() => true));
      for (const { hash } of tokens) expect(await store.findAccessToken(hash)).toBeDefined();
    });

    test("RT-07: the idle expiry is extended together with the access token, but not for a spent token", async () => {
      const [kept, used] = [await aRefreshFamily(), await aRefreshFamily()];
      await store.rotateRefreshFamily(used.id, rotation(used), await access());
      const [first, second] = [await access(), await access()];
      const use = ({ currentHash }: NewRefreshFamily) => ({ presentedHash: currentHash, now: NOW + 2, expiresAt: NOW + 77 });
      expect(await store.extendRefreshFamily(kept.id, use(kept), first)).toBe(true);
      expect(await store.extendRefreshFamily(used.id, use(used), second)).toBe(false);
      expect(await store.findRefreshFamily(kept.id)).toMatchObject({ expiresAt: NOW + 77, currentHash: kept.currentHash, generation: 0 });
      expect(await store.findRefreshFamily(used.id)).toMatchObject({ expiresAt: NOW + 1500 });
      expect([await store.findAccessToken(first.hash), await store.findAccessToken(second.hash)]).toEqual([expect.anything(), undefined]);
    });

    test("CO-44 a family without its grant is gone, also if the client comes back", async () => {
      const family = await aRefreshFamily();
      const { grants } = database.handle.tables;
      await database.handle.db.delete(grants).where(eq(grants.id, family.grantId));
      expect(await store.findRefreshFamily(family.id)).toBeUndefined();
    });
  });

  describe("device codes (RFC 8628)", () => {
    const undecided = {
      lastPolledAt: null,
      approvedAt: null,
      deniedAt: null,
      redeemedAt: null,
      userId: null,
      grantId: null,
      context: null,
    };

    test("come back as saved", async () => {
      const code = await aDeviceCode();
      expect(await store.findDeviceCode(code.hash)).toEqual({ ...code, ...undecided, ...GOOD, user: null });
      expect(await store.findPendingDeviceCode(code.userCode, NOW)).toEqual({ ...code, ...undecided });
      expect(await store.findDeviceCode(sha256("guess"))).toBeUndefined();
      expect(await store.findPendingDeviceCode("GUESSING", NOW)).toBeUndefined();
    });

    test("DF-06: a user code is unique among live codes", async () => {
      const { hash: _, ...code } = await aDeviceCode();
      expect(await store.saveDeviceCode({ ...code, hash: freshHash("device") })).toBe(false);
    });

    test("DF-07: an early poll lengthens the interval for all later ones", async () => {
      const { hash } = await aDeviceCode();
      const poll = (at: number) => store.pollDeviceCode(hash, NOW + at, 5);
      expect([await poll(0), await poll(4), await poll(13), await poll(28)]).toEqual([true, false, false, true]);
      expect(await store.findDeviceCode(hash)).toMatchObject({ intervalSeconds: 15, lastPolledAt: NOW + 28 });
      expect(await store.pollDeviceCode(sha256("guess"), NOW, 5)).toBe(false);
    });

    test("is decided once, by the first decision", async () => {
      const { hash, userCode } = await aDeviceCode();
      const by = { userId: "ada", grantId: await aGrant(), context: { authTime: NOW } };
      const decisions = Array.from({ length: RACERS }, (_, index) =>
        index % 2 ? store.approveDeviceCode(hash, by, NOW) : store.denyDeviceCode(hash, NOW),
      );
      expect(winners(await Promise.all(decisions))).toBe(1);
      expect(await store.findPendingDeviceCode(userCode, NOW)).toBeUndefined();
    });

    test("DF-08: of 50 parallel polls on an approved code exactly one redeems it", async () => {
      const { hash } = await aDeviceCode();
      expect(await store.redeemDeviceCode(hash, NOW)).toBe(false); // not approved yet
      const grantId = await aGrant();
      expect(await store.approveDeviceCode(hash, { userId: "ada", grantId, context: { authTime: NOW } }, NOW)).toBe(true);
      expect(await store.findDeviceCode(hash)).toMatchObject({ approvedAt: NOW, userId: "ada", grantId, context: { authTime: NOW } });
      expect(winners(await race(() => store.redeemDeviceCode(hash, NOW)))).toBe(1);
    });

    test("a denied code is never redeemed", async () => {
      const { hash } = await aDeviceCode();
      expect(await store.denyDeviceCode(hash, NOW)).toBe(true);
      expect(await store.approveDeviceCode(hash, { userId: "ada", grantId: "x", context: {} }, NOW)).toBe(false);
      expect(await store.redeemDeviceCode(hash, NOW)).toBe(false);
    });

    test("an expired code is neither found, decided nor redeemed though its row is there", async () => {
      const { hash, userCode } = await aDeviceCode({ expiresAt: NOW + 10 });
      const by = { userId: "ada", grantId: await aGrant(), context: { authTime: NOW } };
      expect(await store.findPendingDeviceCode(userCode, NOW + 10)).toBeUndefined();
      expect(await store.approveDeviceCode(hash, by, NOW + 10)).toBe(false);
      expect(await store.denyDeviceCode(hash, NOW + 10)).toBe(false);
      expect(await store.approveDeviceCode(hash, by, NOW + 9)).toBe(true);
      expect(await store.redeemDeviceCode(hash, NOW + 10)).toBe(false);
    });

    test("a code whose grant is gone is dead", async () => {
      const { hash } = await aDeviceCode();
      await store.approveDeviceCode(hash, { userId: "ada", grantId: "no-such-grant", context: {} }, NOW);
      expect(await store.findDeviceCode(hash)).toMatchObject({ grantRevokedAt: 0 });
    });
  });

  describe("consents and connected apps", () => {
    test("scopes add up, even if two consents race", async () => {
      expect(await store.findConsent("bob", "shop-dev")).toBeUndefined();
      await Promise.all(
        ["api:read", "openid", "api:write api:read"].map((scope) =>
          store.saveConsent({ userId: "bob", clientId: "shop-dev", scope, ...SHOWN, now: NOW }),
        ),
      );
      expect((await store.findConsent("bob", "shop-dev"))?.scope.split(" ").sort()).toEqual(["api:read", "api:write", "openid"]);
    });

    test("AZ-33 CI-06 consent is for the APIs and the identity it was given to: another identity starts with nothing", async () => {
      const save = (scope: string, audience: string, identity: string) =>
        store.saveConsent({ userId: "bob", clientId: "shop-dev", scope, audience, identity: sha256(identity), now: NOW });
      await save("api:read", "https://gate.example/api", "Demo shop");
      await save("notes:read", "https://notes.example", "Demo shop");
      const both = { scope: "api:read notes:read", audience: "https://gate.example/api https://notes.example" };
      expect(await store.findConsent("bob", "shop-dev")).toEqual({ ...both, identity: sha256("Demo shop") });

      await Promise.all([save("openid", "https://gate.example/api", "Payroll"), save("email", "https://gate.example/api", "Payroll")]);
      const found = await store.findConsent("bob", "shop-dev");
      expect(found).toMatchObject({ audience: "https://gate.example/api", identity: sha256("Payroll") });
      expect(found?.scope.split(" ").sort()).toEqual(["email", "openid"]);
      await store.revokeConnectedApp("bob", "shop-dev", NOW);
    });

    test("SE-15: revoking an app deletes its consent and ends its tokens at once, and no other app's or user's", async () => {
      const grants = [await aGrant({ userId: "bob" }), await aGrant({ userId: "bob" })];
      const tokens = await Promise.all(grants.map((grantId) => anAccessToken({ grantId, userId: "bob" })));
      const other = await anAccessToken({
        grantId: await aGrant({ userId: "bob", clientId: "shop-prod" }),
        userId: "bob",
        clientId: "shop-prod",
      });
      const others = await anAccessToken();

      await store.revokeConnectedApp("bob", "shop-dev", NOW + 5);
      for (const { hash } of tokens) expect(await store.findAccessToken(hash)).toMatchObject({ grantRevokedAt: NOW + 5 });
      for (const { hash } of [other, others]) expect(await store.findAccessToken(hash)).toMatchObject(GOOD);
      expect(await store.findConsent("bob", "shop-dev")).toBeUndefined();
      expect(await store.listConnectedApps("bob", NOW + 5)).toEqual([]);
    });

    test("the clients of an application in one environment are one app: listed once, and disconnected together", async () => {
      const {
        db,
        tables: { clients },
      } = database.handle;
      const [web] = await db.select().from(clients).where(eq(clients.id, "shop-dev"));
      if (!web) throw new Error("no client");
      await db.insert(clients).values({ ...web, id: "shop-ios", name: "iOS", type: "native" });
      await store.saveConsent({ userId: "bob", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
      await store.saveConsent({ userId: "bob", clientId: "shop-ios", scope: "openid api:read", ...SHOWN, now: NOW + 1 });
      const token = await anAccessToken({
        grantId: await aGrant({ userId: "bob", clientId: "shop-ios" }),
        userId: "bob",
        clientId: "shop-ios",
      });

      const [app, ...rest] = await store.listConnectedApps("bob", NOW + 2);
      expect(rest).toEqual([]);
      expect(app).toMatchObject({ applicationName: "Demo shop", scope: "api:read openid", allowedAt: NOW + 1, lastUsedAt: NOW });
      expect(app?.clients.map(({ name }) => name).sort()).toEqual(["Main", "iOS"]);
      await store.revokeConnectedApp("bob", "shop-dev", NOW + 5);
      expect(await store.findConsent("bob", "shop-ios")).toBeUndefined();
      expect(await store.findAccessToken(token.hash)).toMatchObject({ grantRevokedAt: NOW + 5 });
      await db.delete(clients).where(eq(clients.id, "shop-ios"));
    });

    test("lists apps with consent or with what may be a live token, but not first-party ones", async () => {
      const clients = [{ clientId: "shop-dev", name: "Main" }];
      const app = { applicationId: "shop", applicationName: "Demo shop", environment: "development", clients };
      await store.saveConsent({ userId: "bob", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
      expect(await store.listConnectedApps("bob", NOW)).toEqual([{ ...app, scope: "api:read", allowedAt: NOW, lastUsedAt: null }]);

      await store.revokeConnectedApp("bob", "shop-dev", NOW);
      const grantId = await aGrant({ userId: "bob", scope: "openid" });
      await aGrant({ userId: "bob", clientId: "shop-prod" });
      const granted = { ...app, scope: "openid", allowedAt: NOW, lastUsedAt: NOW };
      expect(await store.listConnectedApps("bob", NOW)).toEqual([granted]);
      // A device has ten minutes to fetch its token, which is valid for ten more.
      expect(await store.listConnectedApps("bob", NOW + 1199)).toEqual([granted]);
      expect(await store.listConnectedApps("bob", NOW + 1200)).toEqual([]); // expired, so nothing to revoke

      await aRefreshFamily({ grantId, createdAt: NOW + 500, expiresAt: NOW + 5000, absoluteExpiresAt: NOW + 5000 });
      const refreshed = { ...granted, lastUsedAt: NOW + 500 };
      expect(await store.listConnectedApps("bob", NOW + 4999)).toEqual([refreshed]);
      expect(await store.listConnectedApps("bob", NOW + 5000)).toEqual([]);
    });
  });

  describe("sessions", () => {
    test("come back with their user", async () => {
      const session = await aSession();
      const user = { id: "ada", email: "ada@example.com", name: "Ada", role: "user", disabledAt: null, ...NEW_USER };
      expect(await store.findSession(session.hash)).toEqual({ session: { ...session, revokedAt: null }, user });
      expect(await store.findSession(sha256("guess"))).toBeUndefined();
    });

    test("AC-10: several apps can be allowed in one session at once, and none in a session that ended", async () => {
      const { id } = await aSession();
      const allow = (grantId: string) =>
        store.saveGrant({ id: grantId, clientId: "shop-dev", userId: "ada", scope: "", sessionId: id, accessEpoch: 0, createdAt: NOW }, id);
      const allowed = await Promise.all(Array.from({ length: 8 }, () => allow(fresh("grant"))));
      expect(allowed).toEqual(allowed.map(() => true));
      await store.revokeSession("ada", id, NOW);
      expect(await Promise.all([allow(fresh("grant")), allow(fresh("grant"))])).toEqual([false, false]);
    });

    test("slide with use, never past the absolute expiry, never back", async () => {
      const { hash } = await aSession();
      const slide = async (lastSeenAt: number, expiresAt: number) => {
        await store.touchSession(hash, { lastSeenAt, expiresAt });
        return (await store.findSession(hash))?.session.expiresAt;
      };
      expect(await slide(NOW + 100, NOW + 1100)).toBe(NOW + 1100);
      expect(await slide(NOW + 50, NOW + 1050)).toBe(NOW + 1100);
      expect(await slide(NOW + 1000, NOW + 9000)).toBe(NOW + 2000);
    });

    test("using an ended session does not revive it", async () => {
      const [idle, revoked] = [await aSession(), await aSession()];
      await store.revokeSession("ada", revoked.id, NOW + 1);
      await store.touchSession(revoked.hash, { lastSeenAt: NOW + 2, expiresAt: NOW + 1500 });
      await store.touchSession(idle.hash, { lastSeenAt: NOW + 1000, expiresAt: NOW + 1500 });
      for (const { hash } of [idle, revoked]) expect((await store.findSession(hash))?.session.expiresAt).toBe(NOW + 1000);
    });

    test("lists only live ones, newest first, and only the user's own", async () => {
      const live = await aSession({ userId: "bob" });
      await aSession({ userId: "bob", expiresAt: NOW + 10 });
      await aSession({ userId: "bob", absoluteExpiresAt: NOW + 10 });
      expect((await store.listSessions("bob", NOW)).length).toBe(3);
      expect((await store.listSessions("bob", NOW + 10)).map(({ id }) => id)).toEqual([live.id]);
    });

    test("are revoked once, by their own user only", async () => {
      const { id, hash } = await aSession();
      expect(await store.revokeSession("bob", id, NOW)).toBe(false);
      expect(await store.revokeSession("ada", "guess", NOW)).toBe(false);
      expect(winners(await race(() => store.revokeSession("ada", id, NOW)))).toBe(1);
      expect(await store.findSession(hash)).toMatchObject({ session: { revokedAt: NOW } });
      const expired = await aSession({ expiresAt: NOW });
      expect(await store.revokeSession("ada", expired.id, NOW)).toBe(false);
    });
  });

  describe("the failure ledger (D13)", () => {
    const refusal = (change: Partial<Refusal> = {}): Refusal => ({
      errorId: fresh("error"),
      at: NOW,
      endpoint: "/token",
      error: "invalid_grant",
      cause: "code_expired",
      message: "code expired",
      detail: { expiredBySeconds: 3 },
      clientId: "shop-dev",
      address: null,
      ...change,
    });
    const kept = () => database.handle.db.select().from(database.handle.tables.refusals);

    test("keeps the true cause, also of unknown clients, and truncates hostile text", async () => {
      const plain = refusal();
      const hostile = refusal({
        clientId: "nul\0",
        message: "m".repeat(100_000),
        detail: { sent: "\0".repeat(5000), cut: "half a sign: \ud83d" },
      });
      await store.recordRefusal(plain);
      await store.recordRefusal(hostile);
      const rows = await kept();
      expect(rows).toContainEqual(expect.objectContaining(plain));
      expect(rows.find(({ errorId }) => errorId === hostile.errorId)?.message.length).toBe(1001);
    });

    test("that cannot be written fails no request", async () => {
      const twice = refusal();
      await store.recordRefusal(twice);
      await expect(store.recordRefusal(twice)).resolves.toBeUndefined();
    });
  });
});
