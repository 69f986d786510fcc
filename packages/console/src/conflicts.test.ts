import { engines } from "@gatehouse/db/testing/engines";
import { TRPCError } from "@trpc/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DomainError } from "./domain-error.ts";
import { type Installation, openInstallation, seedApplication, webSettings } from "./testing/callers.ts";

const STOCK = {
  id: "https://stock.example",
  name: "Stock",
  scopes: [{ name: "stock:read", description: "see what is in stock" }],
};

describe.each(engines)("CO-45 two people edit the same, on $name", (engine) => {
  let it: Installation;
  let shop: Awaited<ReturnType<typeof seedApplication>>;
  beforeEach(async () => {
    it = await openInstallation(engine);
    shop = await seedApplication(it.deps);
    it.clock.now += 60;
  });
  afterEach(() => it.close());

  const conflictOf = async (saved: Promise<unknown>) => {
    const error: unknown = await saved.catch((cause: unknown) => cause);
    if (!(error instanceof TRPCError) || !(error.cause instanceof DomainError)) throw new Error("expected a refusal");
    expect(error.code).toBe("CONFLICT");
    return error.cause.conflict;
  };

  test("the second save of a client is refused with the first one's values, author and time, and passes with its version", async () => {
    const { clientId } = shop;
    const { version } = await it.as("admin").clients.get({ clientId });
    await it.as("developer").clients.update({ ...webSettings({ scopes: ["openid"] }), clientId, version });
    const mine = { ...webSettings({ scopes: ["openid", "email"] }), clientId };
    const conflict = await conflictOf(it.as("admin").clients.update({ ...mine, version }));
    expect(conflict).toMatchObject({
      theirs: { scopes: ["openid"] },
      version: version + 1,
      by: "developer",
      at: it.clock.now,
    });
    expect(await it.as("admin").clients.update({ ...mine, version: version + 1 })).toMatchObject({
      scopes: ["openid", "email"],
    });
  });

  test("of many saves at once that read the same version, one wins", async () => {
    const { clientId } = shop;
    const { version } = await it.as("admin").clients.get({ clientId });
    const saves = ["email", "profile", "offline_access", "api:write"].map((scope) =>
      it.as("admin").clients.update({ ...webSettings({ scopes: ["openid", scope] }), clientId, version }),
    );
    const results = await Promise.allSettled(saves);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await it.as("admin").clients.get({ clientId })).version).toBe(version + 1);
  });

  test("a save without a version overwrites, as gatehouse apply does", async () => {
    const { clientId } = shop;
    await it.as("developer").clients.update({ ...webSettings({ scopes: ["openid"] }), clientId });
    expect(await it.as("admin").clients.update({ ...webSettings(), clientId })).toMatchObject({ version: 3 });
  });

  test("CO-24 a promotion applies only to the versions that were compared, whole or not at all", async () => {
    const pair = { applicationId: shop.applicationId, from: "development", to: "staging" } as const;
    const redirectUris = ["https://staging.example/cb"];
    const previewOf = async () => (await it.as("admin").clients.comparePromotion(pair)).versions;
    const promote = (versions: Awaited<ReturnType<typeof previewOf>>) =>
      it.as("admin").clients.promote({ ...pair, redirectUris, versions });
    const stale = await previewOf();
    expect(stale).toEqual({ from: 1, to: null });
    await it.as("developer").clients.update({ ...webSettings({ scopes: ["openid"] }), clientId: shop.clientId });
    await expect(promote(stale)).rejects.toMatchObject({ code: "CONFLICT" });
    const { client: staging } = await promote(await previewOf());

    const before = await previewOf();
    await it
      .as("developer")
      .clients.update({ ...webSettings({ redirectUris, scopes: ["email"] }), clientId: staging.clientId });
    await expect(promote(before)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await it.as("admin").clients.get({ clientId: staging.clientId })).toMatchObject({ scopes: ["email"] });
    await promote(await previewOf());
    expect(await it.as("admin").clients.get({ clientId: staging.clientId })).toMatchObject({ scopes: ["openid"] });
  });

  test("applications, branding, APIs, webhook endpoints and sign-in providers refuse a save at an earlier version", async () => {
    const { applicationId: id } = shop;
    const admin = it.as("admin");
    const { version } = await admin.applications.get({ id });
    await admin.applications.update({ id, name: "Shop", description: "sells", version });
    expect(await conflictOf(admin.applications.update({ id, name: "Store", version }))).toMatchObject({
      theirs: { name: "Shop", description: "sells" },
      by: "admin",
    });

    await admin.branding.set({ applicationId: id, settings: { colour: "#4f46e5" }, version: 0 });
    expect(await conflictOf(admin.branding.set({ applicationId: id, settings: {}, version: 0 }))).toMatchObject({
      theirs: { colour: "#4f46e5" },
    });

    await admin.resources.create(STOCK);
    await admin.resources.update({ ...STOCK, name: "Warehouse", version: 1 });
    expect(await conflictOf(admin.resources.update({ ...STOCK, version: 1 }))).toMatchObject({
      theirs: { name: "Warehouse" },
      version: 2,
    });

    const endpoint = { slug: "stripe-dev", provider: "stripe", environment: "development" } as const;
    await admin.webhookEndpoints.create(endpoint);
    await admin.webhookEndpoints.update({ slug: "stripe-dev", name: "EU", version: 1 });
    expect(
      await conflictOf(admin.webhookEndpoints.update({ slug: "stripe-dev", name: "US", version: 1 })),
    ).toMatchObject({
      theirs: { name: "EU" },
      version: 2,
    });

    const { updatedAt } = await admin.signInProviders.create({
      id: "corp",
      preset: "github",
      clientId: "abc",
      secret: "s3cret",
    });
    const { updatedAt: later } = await admin.signInProviders.update({
      id: "corp",
      name: "Corp",
      settings: { signUp: false },
      version: updatedAt,
    });
    expect(later).toBe(updatedAt + 1);
    const edit = { id: "corp", name: "Ours", settings: { domains: ["example.com"] }, version: updatedAt };
    expect(await conflictOf(admin.signInProviders.update(edit))).toMatchObject({
      theirs: { name: "Corp", signUp: false },
      version: later,
    });
    expect(await admin.signInProviders.get({ id: "corp" })).toMatchObject({ name: "Corp" });
  });

  test("a user's profile: a save that was read before somebody else's demotion does not undo it", async () => {
    const admin = it.as("admin");
    const read = { name: "user", role: "user" } as const;
    await admin.users.update({ id: "user", role: "developer" });
    const stale = { ...read, role: "developer" as const };
    await admin.users.update({ id: "user", role: "user", read: stale });
    await admin.users.requirePassword({ id: "user" });
    const conflict = await conflictOf(
      it.as("admin").users.update({ id: "user", name: "Ursula", role: "developer", read: stale }),
    );
    expect(conflict).toMatchObject({ theirs: read, by: "admin", at: it.clock.now });
    expect(await admin.users.get({ id: "user" })).toMatchObject(read);
    expect(await admin.users.update({ id: "user", name: "Ursula", read })).toMatchObject({
      name: "Ursula",
      role: "user",
    });
  });

  test("of several saves at once of a user's profile, one wins", async () => {
    const read = { name: "user", role: "user" } as const;
    const saves = ["Una", "Ulla", "Uta"].map((name) => it.as("admin").users.update({ id: "user", name, read }));
    const results = await Promise.allSettled(saves);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test("the preview frame: the conflict has the frame that the other one saved", async () => {
    const { clientId } = shop;
    const { version } = await it.as("admin").clients.get({ clientId });
    const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/callback" };
    await it.as("admin").previews.setFrame({ clientId, version, frame });
    const conflict = await conflictOf(
      it.as("admin").previews.setFrame({ clientId, version, frame: { ...frame, path: "/cb" } }),
    );
    expect(conflict).toMatchObject({ theirs: { frame }, version: version + 1, by: "admin" });
  });
});
