import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN,
  type Installation,
  NOON,
  openInstallation,
  seedApplication,
  signIn,
  webSettings,
} from "../testing/callers.ts";
import { startAuditExport } from "./log.ts";
import { sealAuditLog } from "./sealer.ts";

describe.each(engines)("the audit log on $name", (engine) => {
  let it: Installation;
  let shop: Awaited<ReturnType<typeof seedApplication>>;
  beforeEach(async () => {
    it = await openInstallation(engine);
    shop = await seedApplication(it.deps);
    it.clock.now += 10;
    await it.as("developer").clients.update({ ...webSettings({ scopes: ["openid"] }), clientId: shop.clientId });
    it.clock.now += 10;
    await it.as("admin").users.setDisabled({ id: "viewer", disabled: true });
    await sealAuditLog(it.deps);
  });
  afterEach(() => it.close());

  const actions = async (input: object) => (await it.as("admin").audit.list(input)).items.map(({ action }) => action);

  test("CO-64 a row has names, and the changed fields before and after", async () => {
    const { items } = await it.as("admin").audit.list({ object: shop.clientId });
    expect(items[0]).toMatchObject({
      number: 4,
      action: "client.update",
      actorName: "developer",
      role: "developer",
      via: "console",
      environment: "development",
      object: shop.clientId,
      objectName: "Shop · Main",
      address: "192.0.2.1",
      detail: { changes: { scopes: { before: ["openid", "api:read"], after: ["openid"] } } },
    });
    expect(await it.as("viewer").audit.get({ number: 4 })).toEqual({ ...items[0], address: "192.0.2.0/24" });
    await expect(it.as("viewer").audit.get({ number: 99 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each<[object, string[]]>([
    [{}, ["user.disable", "client.update", "client_secret.add", "client.create", "application.create"]],
    [{ actor: "developer" }, ["client.update"]],
    [{ actor: "DEVEL" }, ["client.update"]],
    [{ object: "viewer" }, ["user.disable"]],
    [{ object: "shop", action: "client.update" }, ["client.update"]],
    [{ action: "client" }, ["client.update", "client.create"]],
    [{ environment: "development", actor: "admin" }, ["client_secret.add", "client.create"]],
    [{ from: NOON + 5, to: NOON + 15 }, ["client.update"]],
    [{ object: "viewer", actor: "developer" }, []],
  ])("CO-66 the filter %j finds %j", async (filter, found) => {
    expect(await actions(filter)).toEqual(found);
  });

  test("CO-66 pages continue where the page before ended", async () => {
    const first = await it.as("viewer").audit.list({ limit: 2 });
    const second = await it.as("viewer").audit.list({ limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ number }) => number)).toEqual([5, 4, 3, 2]);
  });

  test("CO-66 the history of an application includes its clients", async () => {
    const objects = [shop.applicationId, shop.clientId];
    const { items, nextCursor } = await it.as("viewer").audit.history({ objects, limit: 3 });
    expect(items.map(({ action }) => action)).toEqual(["client.update", "client_secret.add", "client.create"]);
    expect(await it.as("viewer").audit.history({ objects, limit: 3, cursor: nextCursor })).toMatchObject({
      items: [{ action: "application.create" }],
      nextCursor: null,
    });
  });

  test("CO-65 everybody in the console can verify", async () => {
    expect(await it.as("viewer").audit.verify({})).toMatchObject({ state: "intact", through: 5, head: { number: 5 } });
  });

  test("CO-85 an export has the rows that match, with number and MAC, and leaves a row", async () => {
    const { ticket } = await it.as("developer").audit.export({ filter: { action: "client" } });
    const { items } = await it.as("developer").audit.exportPage({ ticket, cursor: null });
    expect(items.map(({ action, number }) => [action, number])).toEqual([
      ["client.update", 4],
      ["client.create", 2],
    ]);
    expect(items[0]).toMatchObject({ mac: expect.any(String), address: "192.0.2.0/24" });
    expect(await actions({ object: "audit" })).toEqual(["audit.export"]);
    await expect(it.as("admin").audit.exportPage({ ticket, cursor: null })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("CO-85 an export outlives the access token that started it, by its ticket alone", async () => {
    const { ticket } = await it.as("developer").audit.export({ filter: {} });
    const page = () => it.expired.audit.exportPage({ ticket, cursor: null });
    const refused = { code: "UNAUTHORIZED" };
    expect((await page()).items[0]).toMatchObject({ action: "audit.export", address: "192.0.2.0/24" });
    await expect(it.stranger.audit.exportPage({ ticket, cursor: null })).rejects.toMatchObject(refused);
    await expect(it.expired.deliveries.exportPage({ ticket, cursor: null })).rejects.toMatchObject(refused);
    await expect(it.expired.audit.list({})).rejects.toMatchObject(refused);
    it.clock.now += 3_600;
    await expect(page()).rejects.toMatchObject(refused);
    const { ticket: ofToken } = await it.asToken(["audit:read"]).audit.export({ filter: {} });
    await expect(it.expired.audit.exportPage({ ticket: ofToken, cursor: null })).rejects.toMatchObject(refused);
  });

  test.each<[string, (admin: ReturnType<Installation["as"]>) => Promise<unknown>]>([
    ["another role", ({ users }) => users.update({ id: "developer", name: "developer", role: "viewer" })],
    ["a disabled account", ({ users }) => users.setDisabled({ id: "developer", disabled: true })],
  ])("CO-85 %s ends a running export whose access token has ended", async (_, change) => {
    const { ticket } = await it.as("developer").audit.export({ filter: {} });
    await change(it.as("admin"));
    await expect(it.expired.audit.exportPage({ ticket, cursor: null })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("CO-85 the end of the session ends a running export whose access token has ended", async () => {
    await signIn(it.deps, "developer");
    const [session] = await it.deps.store.listSessions("developer", it.clock.now);
    const author = {
      ...ADMIN,
      role: "developer",
      id: "developer",
      via: "console",
      scopes: ["console:read"],
      sessionId: session?.id ?? "",
    } as const;
    const { ticket } = await startAuditExport({ filter: {} }, author, it.deps);
    const page = () => it.expired.audit.exportPage({ ticket, cursor: null });
    expect(await page()).toMatchObject({ nextCursor: null });
    await it.as("admin").sessions.revokeAll({ userId: "developer", apps: false });
    await expect(page()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
