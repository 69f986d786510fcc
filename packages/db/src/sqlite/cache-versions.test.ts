import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import * as tables from "../schema/postgres/index.ts";
import { type CacheVersions, createCacheVersions } from "./cache-versions.ts";

describe("versions of the caches", () => {
  let connection: Sqlite.Database;
  let other: Sqlite.Database;
  let versions: CacheVersions;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-versions-"));
    connection = new Sqlite(join(folder, "g.db"));
    connection.exec("CREATE TABLE facts (key TEXT)");
    other = new Sqlite(join(folder, "g.db"));
    versions = createCacheVersions(connection);
    return () => {
      for (const one of [connection, other]) one.close();
      rmSync(folder, { recursive: true });
    };
  });

  const now = () => [versions.of("configuration"), versions.of("accessTokens")];

  test.each([
    ["a new token", { table: tables.accessTokens, operation: "insert" }, [0, 0]],
    ["a new grant", { table: tables.grants, operation: "insert" }, [0, 0]],
    ["a webhook delivery", { table: tables.webhookDeliveries, operation: "insert" }, [0, 0]],
    ["a revoked token", { table: tables.accessTokens, operation: "update" }, [0, 1]],
    ["a token upserted", { table: tables.accessTokens, operation: "upsert" }, [0, 1]],
    ["a deleted user, whose grants and tokens go along", { table: tables.users, operation: "delete" }, [0, 1]],
    ["a deleted application, whose clients go along", { table: tables.applications, operation: "delete" }, [1, 1]],
    ["a client that is changed", { table: tables.clients, operation: "update" }, [1, 1]],
    ["a new client secret", { table: tables.clientSecrets, operation: "insert" }, [1, 0]],
    ["a deleted webhook endpoint", { table: tables.webhookEndpoints, operation: "delete" }, [1, 0]],
  ] as const)("after %s", (_, target, expected) => {
    versions.count(target);
    expect(now()).toEqual(expected);
  });

  test("every commit of another connection counts for all caches, once; this connection's own commits do not", () => {
    connection.exec("INSERT INTO facts VALUES ('own')");
    expect(now()).toEqual([0, 0]);
    other.exec("INSERT INTO facts VALUES ('other')");
    expect(now()).toEqual([1, 1]);
    expect(now()).toEqual([1, 1]);
  });
});
