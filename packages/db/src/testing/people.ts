import { sha256 } from "@gatehouse/auth";
import type { Db } from "../query/db.ts";

/** What a consent is for besides its scope, where a test does not care. */
export const SHOWN = { audience: "https://gate.example/api", identity: sha256("as it was shown") };

/** The frozen time of tests, Unix seconds. */
export const NOW = 1_800_000_000;

/** Inserts two users, and an application with a development client (with a secret) and a production client. */
export async function seed(db: Db): Promise<void> {
  const { tables: t } = db;
  const user = { passwordHash: "$argon2id$not-checked-here", role: "user", createdAt: NOW } as const;
  await db.insert(t.users).values([
    { ...user, id: "ada", email: "ada@example.com", name: "Ada" },
    { ...user, id: "bob", email: "bob@example.com", name: "Bob", role: "viewer" },
  ]);
  await db.insert(t.applications).values({ id: "shop", name: "Demo shop", createdAt: NOW });
  const client = {
    applicationId: "shop",
    type: "web",
    redirectUris: ["http://localhost:4000/callback"],
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["openid", "api:read"],
    firstParty: false,
    resourceServer: false,
    refreshRetrySeconds: 30,
    createdAt: NOW,
    updatedAt: NOW,
    accessEpoch: 0,
  } satisfies Partial<typeof t.clients.$inferInsert>;
  await db.insert(t.clients).values([
    { ...client, id: "shop-dev", environment: "development" },
    { ...client, id: "shop-prod", environment: "production", redirectUris: [], firstParty: true },
  ]);
  await db
    .insert(t.clientSecrets)
    .values({ id: "secret-1", clientId: "shop-dev", hash: sha256("s"), hint: "0000", createdAt: NOW });
}
