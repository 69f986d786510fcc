import { type Refusal, sha256 } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { openAuthStore } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";
import { createAuthStore } from "./store.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { fresh } = it;

  describe("clients", () => {
    test("are found with their application's name and their secrets", async () => {
      expect(await it.store.findClient("shop-dev")).toEqual({
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
      expect(await it.store.findClient("shop-prod")).toMatchObject({ secrets: [], firstParty: true });
    });

    test.each(["nobody", "", "shop-dev\0", "x".repeat(10_000), "'; drop table clients; --"])(
      "unknown: %j",
      async (clientId) => {
        expect(await it.store.findClient(clientId)).toBeUndefined();
      },
    );

    test("D11: a secret is found within its application only", async () => {
      expect(await it.store.findSecretOwner("shop", sha256("s"))).toEqual({
        clientId: "shop-dev",
        environment: "development",
      });
      expect(await it.store.findSecretOwner("another application", sha256("s"))).toBeUndefined();
      expect(await it.store.findSecretOwner("shop", sha256("guess"))).toBeUndefined();
    });

    test("a secret's use is recorded at most once a minute", async () => {
      const { clientSecrets } = it.database.db.tables;
      const lastUsedAt = async () => (await it.database.db.select().from(clientSecrets))[0]?.lastUsedAt;
      for (const [at, noted] of [
        [NOW, NOW],
        [NOW + 59, NOW],
        [NOW + 60, NOW + 60],
      ] as const) {
        await it.store.touchClientSecret("secret-1", at);
        expect(await lastUsedAt()).toBe(noted);
      }
      await createAuthStore(it.database.db).touchClientSecret("secret-1", NOW + 61); // another process
      expect(await lastUsedAt()).toBe(NOW + 60);
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
    const kept = () => it.database.db.select().from(it.database.db.tables.refusals);

    test("keeps the true cause, also of unknown clients, and truncates hostile text", async () => {
      const plain = refusal();
      const hostile = refusal({
        clientId: "nul\0",
        message: "m".repeat(100_000),
        detail: { sent: "\0".repeat(5000), cut: "half a sign: \ud83d" },
      });
      await it.store.recordRefusal(plain);
      await it.store.recordRefusal(hostile);
      const rows = await kept();
      expect(rows).toContainEqual(expect.objectContaining(plain));
      expect(rows.find(({ errorId }) => errorId === hostile.errorId)?.message.length).toBe(1001);
    });

    test("that cannot be written fails no request", async () => {
      const twice = refusal();
      await it.store.recordRefusal(twice);
      await expect(it.store.recordRefusal(twice)).resolves.toBeUndefined();
    });
  });
});
