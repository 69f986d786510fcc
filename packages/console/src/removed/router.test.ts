import { storageHash } from "@gatehouse/auth";
import { createStats } from "@gatehouse/db/stores/stats/store";
import { sweep } from "@gatehouse/db/sweep/sweep";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Installation,
  issueToken,
  openInstallation,
  seedApplication,
  webClient,
  webSettings,
  webStart,
} from "../testing/callers.ts";

const DAY = 86_400;
const PRODUCTION = webClient({ environment: "production", redirectUris: ["https://shop.example/cb"] });

describe.each(engines)("CO-44 removed applications and clients, on $name", (engine) => {
  let it: Installation;
  let shop: Awaited<ReturnType<typeof seedApplication>>;
  beforeEach(async () => {
    it = await openInstallation(engine);
    shop = await seedApplication(it.deps);
  });
  afterEach(() => it.close());

  const remove = () => it.as("admin").applications.remove({ id: shop.applicationId });
  const restore = (name?: string) => it.as("admin").removed.restore({ id: shop.applicationId, name });

  test("restores an application with its clients, settings and branding under the same ids, without secrets", async () => {
    const admin = it.as("admin");
    const { applicationId, clientId } = shop;
    const { client: live } = await admin.clients.register({ ...PRODUCTION, applicationId });
    await admin.branding.set({ applicationId, settings: { colour: "#4f46e5" } });
    const before = await admin.applications.get({ id: applicationId });
    await remove();
    await expect(admin.clients.get({ clientId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await it.as("viewer").removed.list({})).items).toMatchObject([
      {
        id: applicationId,
        kind: "application",
        name: "Shop",
        environments: ["development", "production"],
        clients: 2,
        removedBy: "admin",
      },
    ]);

    expect(await restore()).toEqual({ kind: "application", applicationId, name: "Shop", environment: null });
    const after = await admin.applications.get({ id: applicationId });
    const settings = ({ secrets: _, version: __, updatedAt: ___, ...rest }: (typeof after.clients)[number]) => rest;
    expect(after.clients.map(settings)).toEqual(before.clients.map(settings));
    expect(after.clients.map(({ clientId: id, secrets }) => [id, secrets])).toEqual([
      [clientId, []],
      [live.clientId, []],
    ]);
    expect((await admin.branding.get({ applicationId })).settings).toEqual({ colour: "#4f46e5" });
    expect((await admin.removed.list({})).items).toEqual([]);
  });

  test.each([
    ["an application", "application"],
    ["a client", "client"],
  ] as const)(
    "the tokens of %s stop at the removal, and a restore brings none back, nor one still being written",
    async (_, kind) => {
      const { store, db } = it.deps;
      const { clientId, applicationId } = shop;
      const own = { clientId, userId: null, scope: "api:read" };
      const clientEpoch = (await store.findClient(clientId))?.accessEpoch ?? expect.fail("no client");
      const tokens = [await issueToken(it.deps, { ...own, userId: "user" }), await issueToken(it.deps, own)];
      const live = () =>
        Promise.all(
          tokens.map(async (token) => {
            const found = await store.findAccessToken(storageHash(token));
            return found?.revokedAt === null && found.grantRevokedAt === null && found.clientEnabled;
          }),
        );
      const grants = async () => (await db.select().from(db.tables.grants)).length;
      expect([await live(), await grants()]).toEqual([[true, true], 1]);

      if (kind === "application") await remove();
      else await it.as("admin").clients.remove({ clientId });
      tokens.push(await issueToken(it.deps, { ...own, clientEpoch })); // by a request that read the client before
      expect([await live(), await grants()]).toEqual([[false, false, false], 0]);

      await it.as("admin").removed.restore({ id: kind === "application" ? applicationId : clientId });
      tokens.push(await issueToken(it.deps, { ...own, clientEpoch }));
      expect([await live(), await grants()]).toEqual([[false, false, false, false], 0]);
      tokens.push(await issueToken(it.deps, own));
      expect((await live()).at(-1)).toBe(true);
    },
  );

  test("a restored application and client have their last use, although the sweeper deleted it", async () => {
    const { clientId, applicationId } = shop;
    const stats = createStats(it.deps.db, { now: it.deps.now, onError: (error) => expect.unreachable(String(error)) });
    const client = (await it.deps.store.findClient(clientId)) ?? expect.fail("no client");
    stats.usage.tokenIssued(client, "client_credentials", "api:read");
    await stats.stop();
    const used = async () => [
      (await it.as("viewer").clients.firstUse({ clientId })).tokenAt,
      (await it.as("viewer").applications.list({})).items.find(({ id }) => id === applicationId)?.lastTokenAt,
    ];
    const before = it.clock.now;
    expect(await used()).toEqual([before, before]);
    await remove();
    it.clock.now += DAY;
    await sweep(it.deps.db, it.clock.now);
    await restore();
    expect(await used()).toEqual([before, before]);
    await it.as("admin").clients.remove({ clientId });
    await sweep(it.deps.db, it.clock.now);
    await it.as("admin").removed.restore({ id: clientId });
    expect(await used()).toEqual([before, before]);
  });

  test("a client is restored in its place, at a later version, so that an editor from before gets a conflict", async () => {
    const { clientId, applicationId } = shop;
    const { version } = await it.as("developer").clients.get({ clientId });
    await it.as("developer").clients.remove({ clientId });
    expect(await it.as("developer").removed.get({ id: clientId })).toMatchObject({
      kind: "client",
      applicationName: "Shop",
      removedBy: "developer",
    });
    expect(await it.as("developer").removed.restore({ id: clientId })).toMatchObject({
      applicationId,
      environment: "development",
    });
    const { version: later } = await it.as("developer").clients.get({ clientId });
    expect(later).toBeGreaterThan(version);
    await expect(it.as("developer").clients.update({ ...webSettings(), clientId, version })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  test("a name that is taken meanwhile is refused at the field, and another name is accepted", async () => {
    await remove();
    const other = await seedApplication(it.deps, "Shop");
    await expect(restore()).rejects.toMatchObject({ code: "CONFLICT", cause: { problems: [{ path: "name" }] } });
    expect(await restore("Old shop")).toMatchObject({ name: "Old shop" });

    await it.as("admin").clients.remove({ clientId: other.clientId });
    await it.as("admin").clients.register({ ...webClient(), applicationId: other.applicationId });
    const again = (name?: string) => it.as("admin").removed.restore({ id: other.clientId, name });
    await expect(again()).rejects.toMatchObject({ code: "CONFLICT", cause: { problems: [{ path: "name" }] } });
    expect(await again("Web")).toMatchObject({ name: "Web" });
  });

  test("a client of a removed application waits for the application", async () => {
    await it.as("admin").clients.remove({ clientId: shop.clientId });
    await remove();
    const client = () => it.as("admin").removed.restore({ id: shop.clientId });
    await expect(client()).rejects.toMatchObject({ code: "CONFLICT", message: "Restore the application Shop first." });
    await restore();
    expect(await client()).toMatchObject({ applicationId: shop.applicationId });
  });

  test("of two restores one wins, and the other is told", async () => {
    await remove();
    const results = await Promise.allSettled([restore(), restore()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(["CONFLICT", "NOT_FOUND"]).toContain(refused.reason.code);
  });

  test("needs the rights of the removal, and in production a fresh sign-in", async () => {
    await it.as("admin").clients.register({ ...PRODUCTION, applicationId: shop.applicationId });
    const stale = it.as("admin", undefined, { authTime: it.clock.now - 3600 });
    await expect(stale.applications.remove({ id: shop.applicationId })).rejects.toMatchObject({
      cause: { kind: "stale_sign_in" },
    });
    await remove();
    const id = shop.applicationId;
    await expect(it.as("developer").removed.restore({ id })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(it.as("viewer").removed.restore({ id })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(stale.removed.restore({ id })).rejects.toMatchObject({ cause: { kind: "stale_sign_in" } });
    await restore();
  });

  test("after seven days nothing can be restored, and the sweeper deletes it", async () => {
    await remove();
    it.clock.now += 7 * DAY - 1;
    await sweep(it.deps.db, it.clock.now);
    expect(await it.as("admin").removed.get({ id: shop.applicationId })).not.toBeNull();
    it.clock.now += 1;
    expect(await it.as("admin").removed.get({ id: shop.applicationId })).toBeNull();
    expect((await it.as("admin").removed.list({})).items).toEqual([]);
    await expect(restore()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await sweep(it.deps.db, it.clock.now)).toMatchObject({ removed_objects: 1 });
  });

  test("is listed in pages and found by name or id", async () => {
    const ids = [shop.applicationId];
    for (const name of ["Till", "Desk"]) ids.push((await seedApplication(it.deps, name)).applicationId);
    for (const id of ids) {
      it.clock.now += 1;
      await it.as("admin").applications.remove({ id });
    }
    const admin = it.as("admin");
    const first = await admin.removed.list({ limit: 2 });
    expect(first.items.map(({ name }) => name)).toEqual(["Desk", "Till"]);
    const second = await admin.removed.list({ limit: 2, cursor: first.nextCursor });
    expect(second.items.map(({ name }) => name)).toEqual(["Shop"]);
    expect((await admin.removed.list({ query: "til" })).items.map(({ name }) => name)).toEqual(["Till"]);
    expect((await admin.removed.list({ query: shop.applicationId })).items.map(({ name }) => name)).toEqual(["Shop"]);
  });

  test("an application that could not be started leaves nothing to restore", async () => {
    const start = { ...webStart(), name: "Started", mcpServer: "https://mcp.example" };
    await it.as("admin").applications.start(start);
    await expect(it.as("admin").applications.start({ ...start, name: "Another" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect((await it.as("admin").removed.list({})).items).toEqual([]);
  });
});
