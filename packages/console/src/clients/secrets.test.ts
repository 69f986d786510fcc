import { generateKeyPairSync } from "node:crypto";
import type { ClientOptions, PublicJwk } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FRESH_SECONDS } from "../permissions.ts";
import {
  type Installation,
  NOON,
  openInstallation,
  seedApplication,
  webClient,
  webSettings,
} from "../testing/callers.ts";

const DAY = 86_400;

describe.each(engines)("the secrets of a client, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  let hint: string;
  beforeEach(async () => {
    it = await openInstallation(engine);
    const shop = await seedApplication(it.deps, "Shop");
    clientId = shop.clientId;
    hint = shop.secret.slice(-4);
  });
  afterEach(() => it.close());

  const list = (id = clientId) => it.as("viewer").clients.secrets({ clientId: id });
  const first = async (id = clientId) => (await list(id)).at(-1)?.id ?? "";
  /** The secret authenticated its client on this day, last at the instant `at`. */
  async function used(secretId: string, at: number, uses = 1): Promise<void> {
    const { db } = it.deps;
    const { tables } = db;
    await db.insert(tables.secretDay).values({ secretId, day: at - (at % DAY), uses });
    await it.deps.store.touchClientSecret(secretId, at);
  }

  test("CO-31 each has its last four characters, maker, times, and uses of each of the last 30 days", async () => {
    await used(await first(), NOON - 29 * DAY, 3);
    await used(await first(), NOON, 7);
    it.clock.now += 60;
    const added = await it.as("developer").clients.addSecret({ clientId, expiresInSeconds: 3600 });
    expect(await list()).toMatchObject([
      {
        id: added.secretId,
        hint: added.secret.slice(-4),
        state: "live",
        addedBy: "developer",
        createdAt: NOON + 60,
        endsAt: null,
      },
      {
        hint,
        state: "live",
        addedBy: "admin",
        createdAt: NOON,
        lastUsedAt: NOON,
        usedRecently: true,
        endsAt: NOON + 3660,
      },
    ]);
    expect((await list()).map(({ uses }) => [uses.length, uses[0], uses[29]])).toEqual([
      [30, 0, 0],
      [30, 3, 7],
    ]);
    expect(JSON.stringify(await list())).not.toContain(added.secret);
  });

  test("CO-31 ended ones stay in the list, without a verdict", async () => {
    const id = await first();
    await it.as("admin").clients.retireSecret({ clientId, secretId: id, confirmLast: true });
    expect(await list()).toMatchObject([{ id, state: "ended", endsAt: NOON, rotation: null }]);
    await expect(it.as("admin").clients.secrets({ clientId: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  describe("CO-32 the verdict", () => {
    const states = async () => (await list()).toReversed().map(({ rotation }) => rotation?.state);

    test("never used, in use, quiet, then safe to remove once a newer secret took over a week ago", async () => {
      const old = await first();
      expect(await states()).toEqual(["never_used"]);
      await used(old, NOON);
      expect(await states()).toEqual(["in_use"]);
      it.clock.now = NOON + 7 * DAY;
      expect(await states()).toEqual(["quiet"]);
      const { secretId, secret } = await it.as("developer").clients.addSecret({ clientId });
      expect(await states()).toEqual(["quiet", "never_used"]);
      await used(secretId, it.clock.now);
      expect(await states()).toEqual(["safe_to_remove", "in_use"]);
      const replacedBy = { id: secretId, hint: secret.slice(-4), lastUsedAt: it.clock.now };
      expect((await list())[1]?.rotation?.replacedBy).toEqual(replacedBy);
    });

    test("a week of silence is not enough for a secret that was silent for five days before", async () => {
      const old = await first();
      await used(old, NOON - 5 * DAY);
      await used(old, NOON);
      it.clock.now = NOON + 9 * DAY;
      const { secretId } = await it.as("developer").clients.addSecret({ clientId });
      await used(secretId, it.clock.now);
      expect((await states())[0]).toBe("quiet");
      it.clock.now = NOON + 10 * DAY;
      expect((await states())[0]).toBe("safe_to_remove");
    });
  });

  describe("CO-33 retiring", () => {
    test("later: the secret works until then, and the end can be called off", async () => {
      const secretId = await first();
      const admin = it.as("admin").clients;
      await expect(admin.keepSecret({ clientId, secretId })).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(admin.retireSecret({ clientId, secretId, expiresInSeconds: DAY })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await admin.retireSecret({ clientId, secretId, expiresInSeconds: DAY, confirmLast: true });
      expect(await list()).toMatchObject([{ state: "live", endsAt: NOON + DAY }]);
      await admin.keepSecret({ clientId, secretId });
      expect(await list()).toMatchObject([{ state: "live", endsAt: null }]);
      await admin.retireSecret({ clientId, secretId, expiresInSeconds: 3600, confirmLast: true });
      it.clock.now += 3600;
      expect(await list()).toMatchObject([{ state: "ended", endsAt: NOON + 3600 }]);
      await expect(admin.keepSecret({ clientId, secretId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    test("now, after a use within 24 hours: only with its last four characters; a program names it by its id", async () => {
      const secretId = await first();
      await used(secretId, NOON);
      const retire = (more: object) =>
        it.as("admin").clients.retireSecret({ clientId, secretId, confirmLast: true, ...more });
      await expect(retire({})).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining("last four"),
      });
      await expect(retire({ confirmHint: "0000" })).rejects.toMatchObject({ code: "CONFLICT" });
      await retire({ expiresInSeconds: 3600 });
      await retire({ confirmHint: hint });
      expect(await list()).toMatchObject([{ state: "ended", endsAt: NOON }]);

      const { secretId: second } = await it.as("admin").clients.addSecret({ clientId });
      await used(second, NOON);
      const program = it.as("admin", ["console:read", "console:write"]).clients;
      await program.retireSecret({ clientId, secretId: second, confirmLast: true });
      expect(await list()).toMatchObject([{ state: "ended" }, { state: "ended" }]);
    });
  });

  describe("CO-33 the last secret of a client that works", () => {
    const refused = { code: "CONFLICT", message: expect.stringContaining("will stop working") };

    test("a secret with an end is none that stays", async () => {
      const { clients } = it.as("developer");
      const older = await first();
      const { secretId: newer } = await clients.addSecret({ clientId, expiresInSeconds: 7 * DAY });
      await expect(clients.retireSecret({ clientId, secretId: newer })).rejects.toMatchObject(refused);
      const change = { kind: "retire_secret", secretId: newer } as const;
      expect(await clients.impact({ clientId, change })).toMatchObject({
        later: [expect.stringContaining("An end is set")],
      });
      await clients.retireSecret({ clientId, secretId: older });
      await expect(clients.retireSecret({ clientId, secretId: newer })).rejects.toMatchObject(refused);
      await clients.setEnabled({ clientId, enabled: false });
      await clients.retireSecret({ clientId, secretId: newer });
    });

    test.each([0, DAY])(
      "of two admins who retire both at once, in %i seconds, one is refused",
      async (expiresInSeconds) => {
        const older = await first();
        const { secretId: newer } = await it.as("admin").clients.addSecret({ clientId });
        const retire = (secretId: string) =>
          it.as("admin").clients.retireSecret({ clientId, secretId, expiresInSeconds });
        const ended = await Promise.allSettled([retire(older), retire(newer)]);
        expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
        expect(ended.find(({ status }) => status === "rejected")).toMatchObject({ reason: refused });
        expect((await list()).filter(({ endsAt }) => endsAt === null)).toHaveLength(1);
      },
    );
  });

  test("CO-33 a secret in use ends within the hour only with its last four characters, also when another one is added", async () => {
    const secretId = await first();
    await used(secretId, NOON);
    const { clients } = it.as("admin");
    const needed = { code: "CONFLICT", message: expect.stringContaining("last four") };
    await expect(
      clients.retireSecret({ clientId, secretId, confirmLast: true, expiresInSeconds: 3599 }),
    ).rejects.toMatchObject(needed);
    await expect(clients.addSecret({ clientId, expiresInSeconds: 0 })).rejects.toMatchObject(needed);
    expect(await list()).toMatchObject([{ state: "live", endsAt: null }]);
    await clients.addSecret({ clientId, expiresInSeconds: 0, confirmHint: hint });
    expect((await list()).map(({ state }) => state)).toEqual(["live", "ended"]);
  });

  test("CO-88 secrets of production are added, retired and kept only after a fresh sign-in", async () => {
    const { applicationId } = await it.as("viewer").clients.get({ clientId });
    const production = webClient({ environment: "production", redirectUris: ["https://shop.example/callback"] });
    const stale = it.as("admin", undefined, { authTime: NOON - FRESH_SECONDS }).clients;
    const refused = { cause: { kind: "stale_sign_in" } };
    await expect(stale.register({ ...production, applicationId })).rejects.toMatchObject(refused);
    const to = { applicationId, from: "development", to: "production" } as const;
    await expect(
      stale.promote({ ...to, redirectUris: production.redirectUris, postLogoutRedirectUris: [] }),
    ).rejects.toMatchObject(refused);
    const { client } = await it.as("admin").clients.register({ ...production, applicationId });
    const secretId = await first(client.clientId);
    const { clientId: id } = client;
    await expect(stale.addSecret({ clientId: id })).rejects.toMatchObject(refused);
    await expect(stale.retireSecret({ clientId: id, secretId, confirmLast: true })).rejects.toMatchObject(refused);
    await expect(stale.keepSecret({ clientId: id, secretId })).rejects.toMatchObject(refused);
    expect(await list(id)).toMatchObject([{ state: "live", endsAt: null }]);
    await it.as("admin").clients.addSecret({ clientId: id, expiresInSeconds: 60 });
    await it.as("admin").clients.keepSecret({ clientId: id, secretId });
  });

  test("CO-88 keys of production, which do what a secret does, are set and replaced only after a fresh sign-in", async () => {
    const { applicationId } = await it.as("viewer").clients.get({ clientId });
    const keys = () => ({ keys: [generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }) as PublicJwk] });
    const withKeys = (jwks = keys()) => ({ authentication: "private_key_jwt", jwks }) as const;
    const place = { redirectUris: ["https://shop.example/callback"] };
    const production = webClient({ ...place, environment: "production", options: withKeys() });
    const stale = it.as("admin", undefined, { authTime: NOON - FRESH_SECONDS }).clients;
    const refused = { cause: { kind: "stale_sign_in" } };
    await expect(stale.register({ ...production, applicationId })).rejects.toMatchObject(refused);
    const { client } = await it.as("admin").clients.register({ ...production, applicationId });
    const update = (options: ClientOptions) =>
      stale.update({ clientId: client.clientId, ...webSettings({ ...place, options }) });
    await expect(update(withKeys())).rejects.toMatchObject(refused);
    await expect(
      update({ authentication: "private_key_jwt", jwksUri: "https://shop.example/keys" }),
    ).rejects.toMatchObject(refused);
    await expect(update({})).rejects.toMatchObject(refused);
    expect(await update({ ...production.options, defaultMaxAge: 60 })).toMatchObject({ options: production.options });
  });
});
