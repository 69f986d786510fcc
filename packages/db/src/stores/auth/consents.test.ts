import { sha256 } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { GOOD, openAuthStore } from "../../testing/auth-store.ts";
import { engines } from "../../testing/engines.ts";
import { NOW, SHOWN } from "../../testing/people.ts";

describe.each(engines)("the protocol's store on $name", ({ open }) => {
  const it = openAuthStore(open);
  const { aGrant, anAccessToken, aRefreshFamily } = it;

  describe("consents and connected apps", () => {
    test("scopes add up, even if two consents race", async () => {
      expect(await it.store.findConsent("bob", "shop-dev")).toBeUndefined();
      await Promise.all(
        ["api:read", "openid", "api:write api:read"].map((scope) =>
          it.store.saveConsent({ userId: "bob", clientId: "shop-dev", scope, ...SHOWN, now: NOW }),
        ),
      );
      expect((await it.store.findConsent("bob", "shop-dev"))?.scope.split(" ").sort()).toEqual([
        "api:read",
        "api:write",
        "openid",
      ]);
    });

    test("AZ-33 CI-06 consent is for the APIs and the identity it was given to: another identity starts with nothing", async () => {
      const save = (scope: string, audience: string, identity: string) =>
        it.store.saveConsent({
          userId: "bob",
          clientId: "shop-dev",
          scope,
          audience,
          identity: sha256(identity),
          now: NOW,
        });
      await save("api:read", "https://gate.example/api", "Demo shop");
      await save("notes:read", "https://notes.example", "Demo shop");
      const both = { scope: "api:read notes:read", audience: "https://gate.example/api https://notes.example" };
      expect(await it.store.findConsent("bob", "shop-dev")).toEqual({ ...both, identity: sha256("Demo shop") });

      await Promise.all([
        save("openid", "https://gate.example/api", "Payroll"),
        save("email", "https://gate.example/api", "Payroll"),
      ]);
      const found = await it.store.findConsent("bob", "shop-dev");
      expect(found).toMatchObject({ audience: "https://gate.example/api", identity: sha256("Payroll") });
      expect(found?.scope.split(" ").sort()).toEqual(["email", "openid"]);
      await it.store.revokeConnectedApp("bob", "shop-dev", NOW);
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

      await it.store.revokeConnectedApp("bob", "shop-dev", NOW + 5);
      for (const { hash } of tokens)
        expect(await it.store.findAccessToken(hash)).toMatchObject({ grantRevokedAt: NOW + 5 });
      for (const { hash } of [other, others]) expect(await it.store.findAccessToken(hash)).toMatchObject(GOOD);
      expect(await it.store.findConsent("bob", "shop-dev")).toBeUndefined();
      expect(await it.store.listConnectedApps("bob", NOW + 5)).toEqual([]);
    });

    test("the clients of an application in one environment are one app: listed once, and disconnected together", async () => {
      const { db } = it.database;
      const { clients } = db.tables;
      const [web] = await db.select().from(clients).where(eq(clients.id, "shop-dev"));
      if (!web) throw new Error("no client");
      await db.insert(clients).values({ ...web, id: "shop-ios", name: "iOS", type: "native" });
      await it.store.saveConsent({ userId: "bob", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
      await it.store.saveConsent({
        userId: "bob",
        clientId: "shop-ios",
        scope: "openid api:read",
        ...SHOWN,
        now: NOW + 1,
      });
      const token = await anAccessToken({
        grantId: await aGrant({ userId: "bob", clientId: "shop-ios" }),
        userId: "bob",
        clientId: "shop-ios",
      });

      const [app, ...rest] = await it.store.listConnectedApps("bob", NOW + 2);
      expect(rest).toEqual([]);
      expect(app).toMatchObject({
        applicationName: "Demo shop",
        scope: "api:read openid",
        allowedAt: NOW + 1,
        lastUsedAt: NOW,
      });
      expect(app?.clients.map(({ name }) => name).sort()).toEqual(["Main", "iOS"]);
      await it.store.revokeConnectedApp("bob", "shop-dev", NOW + 5);
      expect(await it.store.findConsent("bob", "shop-ios")).toBeUndefined();
      expect(await it.store.findAccessToken(token.hash)).toMatchObject({ grantRevokedAt: NOW + 5 });
      await db.delete(clients).where(eq(clients.id, "shop-ios"));
    });

    test("lists apps with consent or with what may be a live token, but not first-party ones", async () => {
      const clients = [{ clientId: "shop-dev", name: "Main" }];
      const app = { applicationId: "shop", applicationName: "Demo shop", environment: "development", clients };
      await it.store.saveConsent({ userId: "bob", clientId: "shop-dev", scope: "api:read", ...SHOWN, now: NOW });
      expect(await it.store.listConnectedApps("bob", NOW)).toEqual([
        { ...app, scope: "api:read", allowedAt: NOW, lastUsedAt: null },
      ]);

      await it.store.revokeConnectedApp("bob", "shop-dev", NOW);
      const grantId = await aGrant({ userId: "bob", scope: "openid" });
      await aGrant({ userId: "bob", clientId: "shop-prod" });
      const granted = { ...app, scope: "openid", allowedAt: NOW, lastUsedAt: NOW };
      expect(await it.store.listConnectedApps("bob", NOW)).toEqual([granted]);
      // A device has ten minutes to fetch its token, which is valid for ten more.
      expect(await it.store.listConnectedApps("bob", NOW + 1199)).toEqual([granted]);
      expect(await it.store.listConnectedApps("bob", NOW + 1200)).toEqual([]); // expired, so nothing to revoke

      await aRefreshFamily({ grantId, createdAt: NOW + 500, expiresAt: NOW + 5000, absoluteExpiresAt: NOW + 5000 });
      const refreshed = { ...granted, lastUsedAt: NOW + 500 };
      expect(await it.store.listConnectedApps("bob", NOW + 4999)).toEqual([refreshed]);
      expect(await it.store.listConnectedApps("bob", NOW + 5000)).toEqual([]);
    });
  });
});
