import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listClientRows } from "../queries/clients.ts";
import { engines } from "../testing/index.ts";
import { openMigrated } from "../testing/migrated.ts";

const registered = (id: string, environment: string) =>
  `insert into clients (id, application_id, environment, type, redirect_uris, post_logout_redirect_uris, grant_types, scopes, first_party,
     resource_server, refresh_retry_seconds, created_at, updated_at)
   values ('${id}', 'shop', '${environment}', 'web', '["https://shop.example/cb"]', '[]', '[]', '[]', false, false, 30, 1, 1)`;

const ROWS = [
  "insert into applications (id, name, created_at) values ('shop', 'Shop', 1)",
  registered("shop-dev", "development"),
  registered("shop-prod", "production"),
];

describe.each(engines)("the migration to named clients on $name", (engine) => {
  let migrated: Awaited<ReturnType<typeof openMigrated>>;
  beforeAll(async () => {
    migrated = await openMigrated(engine, { lastBefore: "0015_accounts", rows: ROWS });
  });
  afterAll(() => migrated.close());

  test("makes the clients of an application one client, with the ids and settings that they had", async () => {
    expect(await listClientRows(migrated.handle, "shop")).toMatchObject([
      { id: "shop-dev", name: "Main", environment: "development", redirectUris: ["https://shop.example/cb"] },
      { id: "shop-prod", name: "Main", environment: "production" },
    ]);
  });
});
