import { requireBearer, sha256 } from "@gatehouse/auth";
import { changeUser, updateUserDisabled } from "@gatehouse/db/stores/accounts/user-changes";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTrpcHandler } from "../handler.ts";
import { appRouter } from "../root.ts";
import {
  type Installation,
  ISSUER,
  NOON,
  openInstallation,
  seedApplication,
  signIn,
  webClient,
} from "../testing/callers.ts";
import { resetSecondFactors } from "../users/security-queries.ts";

const trpc = createTrpcHandler(appRouter);
const DAY = 86_400;
type Answer = { items: unknown[] };
type Draft = Parameters<ReturnType<Installation["as"]>["apiTokens"]["create"]>[0];
const AUDITOR: Draft = { name: "Nightly export", scopes: ["audit:read"] };

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

describe.each(engines)("CO-70 API tokens, on $name", (engine) => {
  let it: Installation;
  let shop: Awaited<ReturnType<typeof seedApplication>>;
  beforeEach(async () => {
    it = await openInstallation(engine);
    shop = await seedApplication(it.deps);
    const { db } = it.deps;
    const { tables } = db;
    const another = {
      id: "other",
      email: "other@example.com",
      name: "Other",
      role: "admin",
      createdAt: NOON,
      registeredBy: "operator",
    } as const;
    await db.insert(tables.users).values(another);
  });
  afterEach(() => it.close());

  const create = async (draft: Partial<Draft> = {}) => it.as("admin").apiTokens.create({ ...AUDITOR, ...draft });
  const listed = async (id: string) => (await it.as("admin").apiTokens.list()).tokens.find((token) => token.id === id);

  /** Calls a procedure over HTTP with this credential. */
  async function call(token: string, path: string, input: unknown = {}, method: "GET" | "POST" = "GET") {
    const headers = { authorization: `Bearer ${token}`, "user-agent": "curl/8" };
    const query = method === "GET" ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
    const init =
      method === "POST"
        ? { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(input) }
        : { headers };
    const response = await trpc(new Request(`${ISSUER}/trpc/${path}${query}`, init), it.deps, { address: "192.0.2.1" });
    const body = (await response.json()) as { result?: { data: Answer }; error?: { message: string } };
    return {
      status: response.status,
      headers: response.headers,
      data: body.result?.data,
      message: body.error?.message as string | undefined,
    };
  }

  test("a token is shown once and stored as a hash, ends after 90 days by default, and 365 at most", async () => {
    const { token, id } = await create();
    expect(token).toMatch(/^gap_[\w-]{43}$/);
    const { db } = it.deps;
    const { tables } = db;
    const rows = await db.select().from(tables.apiTokens);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows).toMatchObject([{ id, hash: sha256(token), expiresAt: NOON + 90 * DAY }]);
    expect(await listed(id)).toMatchObject({
      hint: token.slice(-4),
      state: "live",
      makerName: "admin",
      lastUsedAt: null,
    });
    expect(JSON.stringify(await it.as("admin").apiTokens.list())).not.toContain(sha256(token));
    await expect(create({ expiresInSeconds: 366 * DAY })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("PK-22 origins for first-party clients are exact, need config:apply, and are listed and recorded", async () => {
    const scopes: Draft["scopes"] = ["config:plan", "config:apply"];
    const firstPartyOrigins = ["https://shop.example/", "https://shop.example", "http://localhost:3000"];
    const { id } = await create({ scopes, firstPartyOrigins });
    const kept = ["https://shop.example", "http://localhost:3000"];
    expect(await listed(id)).toMatchObject({ firstPartyOrigins: kept });
    const [row] = (await it.as("admin").audit.list({ action: "api_token.create" })).items;
    expect(JSON.stringify(await it.as("admin").audit.get({ id: row?.id ?? "" }))).toContain(JSON.stringify(kept));
    for (const wrong of [
      "http://shop.example",
      "https://shop.example/app",
      "https://*.shop.example",
      "https://ada@shop.example",
      "HTTPS://SHOP.EXAMPLE",
      "com.example.shop://",
      "null",
      "",
    ])
      expect([wrong, await failureOf(create({ scopes, firstPartyOrigins: [wrong] }))]).toEqual([wrong, "BAD_REQUEST"]);
    await expect(create({ scopes: ["config:plan"], firstPartyOrigins: kept })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("config:apply"),
    });
  });

  test("it calls what its scope allows, and nothing else; its use is recorded to the minute", async () => {
    const { token, id } = await create();
    const answer = await call(token, "audit.list");
    expect(answer.status).toBe(200);
    expect(answer.data?.items[0]).toMatchObject({ action: "api_token.create", objectName: "Nightly export" });
    expect(await listed(id)).toMatchObject({ lastUsedAt: NOON });
    expect(await call(token, "deliveries.list")).toMatchObject({
      status: 403,
      message: "This API token lacks the scope deliveries:read.",
    });
    expect(await call(token, "users.list")).toMatchObject({
      status: 403,
      message: "API tokens can’t call this procedure.",
    });
    expect(await call(token, "apiTokens.create", AUDITOR, "POST")).toMatchObject({ status: 403 });
    it.clock.now += 59;
    await call(token, "audit.list");
    expect(await listed(id)).toMatchObject({ lastUsedAt: NOON });
    it.clock.now += 1;
    await call(token, "audit.list");
    expect(await listed(id)).toMatchObject({ lastUsedAt: NOON + 60 });
  });

  test("CO-64 CO-88 an export by token needs no fresh sign-in, and its audit row names token, maker and way", async () => {
    const { token } = await create();
    expect(await call(token, "audit.export", {}, "POST")).toMatchObject({ status: 200 });
    const [row] = (await it.as("admin").audit.list({ action: "audit.export" })).items;
    const by = {
      actorId: "admin",
      actorName: "Nightly export (API token of admin)",
      role: "admin",
      via: "api_token",
      userAgent: "curl/8",
    };
    expect(row).toMatchObject(by);
  });

  test("it stops when it expires and when somebody revokes it", async () => {
    const { token } = await create({ expiresInSeconds: 3600 });
    const { token: another, id } = await create();
    await it.as("admin").apiTokens.revoke({ id });
    expect(await call(another, "audit.list")).toMatchObject({
      status: 401,
      message: expect.stringContaining("revoked"),
    });
    expect(await listed(id)).toMatchObject({ state: "revoked", endedAt: NOON });
    await expect(it.as("admin").apiTokens.revoke({ id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    it.clock.now += 3600;
    const expired = await call(token, "audit.list");
    expect(expired.status).toBe(401);
    expect(expired.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await call(`${token}x`, "audit.list")).toMatchObject({
      status: 401,
      message: expect.stringContaining("no such API token"),
    });
  });

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      "disabled",
      () => updateUserDisabled(it.deps.db, { id: "admin", disabled: true }, NOON),
      () => updateUserDisabled(it.deps.db, { id: "admin", disabled: false }, NOON),
    ],
    [
      "demoted",
      () => changeUser(it.deps.db, { id: "admin", role: "developer" }, NOON),
      () => changeUser(it.deps.db, { id: "admin", role: "admin" }, NOON),
    ],
    ["given a new password", () => changeUser(it.deps.db, { id: "admin", passwordHash: "$new" }, NOON), async () => {}],
    ["without second factors since a reset", () => resetSecondFactors(it.deps.db, "admin", {}, NOON), async () => {}],
    [
      "about to be deleted",
      () => it.deps.db.update(it.deps.db.tables.users).set({ deleteAfter: NOON + DAY }),
      async () => {},
    ],
    ["changed by hand", () => it.deps.db.update(it.deps.db.tables.users).set({ disabledAt: NOON }), async () => {}],
  ])("N49 it dies with a maker who is %s, for good", async (_, lose, regain) => {
    const { token } = await create();
    expect((await call(token, "audit.list")).status).toBe(200);
    await lose();
    expect((await call(token, "audit.list")).status).toBe(401);
    await regain();
    expect((await call(token, "audit.list")).status).toBe(401);
  });

  test("only /trpc accepts it", async () => {
    const { token } = await create();
    const request = new Request(`${ISSUER}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    const answer = await requireBearer(request, { scope: [] }, it.deps, { address: "192.0.2.1" });
    expect(answer.ok ? 200 : answer.response.status).toBe(401);
    expect(await it.deps.store.findAccessToken(sha256(token))).toBeUndefined();
  });

  test("a token for some environments reads nothing of the others", async () => {
    const { token } = await create({ scopes: ["audit:read", "clients:read"], environments: ["staging"] });
    expect(await call(token, "audit.list")).toMatchObject({
      status: 403,
      message: expect.stringContaining("Filter by environment"),
    });
    expect(await call(token, "audit.list", { environment: "development" })).toMatchObject({ status: 403 });
    expect(await call(token, "audit.list", { environment: "staging" })).toMatchObject({
      status: 200,
      data: { items: [] },
    });
    expect(await call(token, "audit.export", { filter: {} }, "POST")).toMatchObject({ status: 403 });
    const [inDevelopment] = (await it.as("admin").audit.list({ environment: "development" })).items;
    expect(await call(token, "audit.get", { id: inDevelopment?.id })).toMatchObject({ status: 403 });
    const { ticket } = await it.as("admin").audit.export({});
    expect(await call(token, "audit.exportPage", { ticket, cursor: null }, "POST")).toMatchObject({ status: 403 });
    expect(await call(token, "clients.get", { clientId: shop.clientId })).toMatchObject({ status: 403 });
    expect(await call(token, "applications.get", { id: shop.applicationId })).toMatchObject({ status: 403 });
    const staging = await it
      .as("admin")
      .clients.register({ ...webClient({ environment: "staging" }), applicationId: shop.applicationId });
    expect(await call(token, "clients.get", { clientId: staging.client.clientId })).toMatchObject({ status: 200 });
    expect((await call(token, "audit.list", { environment: "staging" })).data?.items).not.toEqual([]);
  });

  test("a token for one client reads that client alone, and is of its environment", async () => {
    const { token, id } = await create({
      scopes: ["clients:read"],
      clientId: shop.clientId,
      environments: ["production"],
    });
    expect(await listed(id)).toMatchObject({ environments: ["development"], clientId: shop.clientId });
    expect(await call(token, "clients.get", { clientId: shop.clientId })).toMatchObject({ status: 200 });
    const other = await seedApplication(it.deps, "Other");
    expect(await call(token, "clients.get", { clientId: other.clientId })).toMatchObject({ status: 403 });
    expect(await call(token, "applications.list")).toMatchObject({ status: 403 });
    const wide = { code: "BAD_REQUEST", message: expect.stringContaining("audit:read") };
    await expect(create({ scopes: ["audit:read"], clientId: shop.clientId })).rejects.toMatchObject(wide);
    await expect(create({ scopes: ["clients:read"], clientId: "nobody" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  test("CO-29 a token for previews is bound to one client, puts and ends its slots, and nothing else", async () => {
    const { clientId } = shop;
    await expect(create({ scopes: ["previews:write"] })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("clientId"),
    });
    const { token } = await create({ name: "CI", scopes: ["previews:write"], clientId });
    const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
    await it.as("admin").previews.setFrame({ clientId, version: 1, frame });
    const slot = { clientId, key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" };
    expect(await call(token, "previews.put", slot, "POST")).toMatchObject({
      status: 200,
      data: { makerName: "CI (API token of admin)" },
    });
    const outside = await call(token, "previews.put", { ...slot, redirectUri: "https://pr-1.evil.example/cb" }, "POST");
    expect(outside).toMatchObject({ status: 400, message: expect.stringContaining("ends with .preview.example.com") });
    expect(await call(token, "previews.end", { clientId, key: "pr-1" }, "POST")).toMatchObject({
      status: 200,
      data: { ended: true },
    });
    expect(await call(token, "previews.setFrame", { clientId, version: 2, frame: null }, "POST")).toMatchObject({
      status: 403,
    });
    expect(await call(token, "previews.putNumbered", { clientId }, "POST")).toMatchObject({ status: 403 });
    const other = await seedApplication(it.deps, "Other");
    expect(await call(token, "previews.put", { ...slot, clientId: other.clientId }, "POST")).toMatchObject({
      status: 403,
    });
    expect(await call(token, "clients.get", { clientId })).toMatchObject({ status: 403 });
  });

  test("CO-30 slots are not exported, and a restored client has its frame but no slot", async () => {
    const { clientId } = shop;
    const admin = it.as("admin");
    const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
    await admin.previews.setFrame({ clientId, version: 1, frame });
    await admin.previews.put({ clientId, key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" });
    expect(JSON.stringify(await admin.configuration.export())).not.toMatch(/preview/i);
    await admin.clients.remove({ clientId });
    await admin.removed.restore({ id: clientId });
    expect(await admin.previews.list({ clientId })).toMatchObject({ frame, live: [], ended: [] });
  });

  test("there are 100 live tokens at most", async () => {
    for (let made = 0; made < 100; made += 1) await create();
    await expect(create()).rejects.toMatchObject({ code: "CONFLICT" });
    it.clock.now += 90 * DAY;
    await expect(create()).resolves.toMatchObject({ token: expect.any(String) });
  });

  test("a browser's session is not changed by it: without a token the cookie counts", async () => {
    const headers = { cookie: await signIn(it.deps, "viewer"), authorization: "Bearer gap_unknown" };
    const answer = await trpc(new Request(`${ISSUER}/trpc/me.get`, { headers }), it.deps, { address: null });
    expect(answer.status).toBe(401);
  });
});
