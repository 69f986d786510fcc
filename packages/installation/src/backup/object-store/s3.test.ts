import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ObjectStoreSettings } from "../../settings/backups.ts";
import { ACCESS_KEY, BUCKET, startObjectStore, type TestObjectStore } from "../testing/object-store.ts";
import { openS3 } from "./s3.ts";

let server: TestObjectStore;
let folder: string;
beforeAll(async () => {
  server = await startObjectStore();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-s3-"));
});
afterEach(() => {
  server.refuse(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

const open = (change: Partial<ObjectStoreSettings> = {}) =>
  openS3({
    target: { bucket: BUCKET, prefix: "gatehouse/" },
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: ACCESS_KEY,
    encryption: undefined,
    ...change,
  });

/** A file with a manifest that says when it was made. */
function backup(name: string, made_at: string, bytes = 10): string {
  const file = join(folder, name);
  writeFileSync(file, randomBytes(bytes));
  writeFileSync(`${file}.json`, JSON.stringify({ format: 1, made_at, bytes, tables: {}, schema: [] }));
  return file;
}

describe("OP-51 backups in an object store", () => {
  test("are copied in parts, listed by their manifests, fetched unchanged and deleted", async () => {
    const store = open();
    const large = backup("large.db", "2026-11-02T00:00:00Z", 9 * 2 ** 20); // two parts
    await store.put(large);
    await store.put(backup("small.db", "2026-11-01T00:00:00Z"));
    const url = `s3://${BUCKET}/gatehouse/large.db`;
    expect((await store.list()).map((one) => one.url)).toEqual([`s3://${BUCKET}/gatehouse/small.db`, url]);

    const to = mkdtempSync(join(folder, "to-"));
    const fetched = await store.fetch(url, to);
    expect(readFileSync(fetched).equals(readFileSync(large))).toBe(true);
    expect(readFileSync(`${fetched}.json`, "utf8")).toBe(readFileSync(`${large}.json`, "utf8"));

    for (const one of await store.list()) await store.remove(one.url);
    expect(await store.list()).toEqual([]);
    store.close();
  });

  test("the manifest comes last, so that a copy that was interrupted is no backup", async () => {
    const store = open({ target: { bucket: BUCKET, prefix: "interrupted/" } });
    server.requests.length = 0;
    await store.put(backup("one.db", "2026-11-01T00:00:00Z"));
    expect(server.requests).toEqual(["PUT /backups/interrupted/one.db", "PUT /backups/interrupted/one.db.json"]);
    server.refuse(({ url = "" }) => (/two[.]db[.]json/.test(url) ? { status: 507, code: "NoRoom" } : undefined));
    await expect(store.put(backup("two.db", "2026-11-02T00:00:00Z"))).rejects.toThrow(
      /two.db.json: the store has no room/,
    );
    expect((await store.list()).map(({ url }) => url)).toEqual(["s3://backups/interrupted/one.db"]);
    store.close();
  });

  test("other folders of the bucket are not looked at", async () => {
    const [root, mine] = [open({ target: { bucket: BUCKET, prefix: "" } }), open()];
    await root.put(backup("root.db", "2026-11-01T00:00:00Z"));
    await mine.put(backup("mine.db", "2026-11-01T00:00:00Z"));
    expect((await root.list()).map(({ url }) => url)).toEqual(["s3://backups/root.db"]);
    expect((await mine.list()).map(({ url }) => url)).toEqual(["s3://backups/gatehouse/mine.db"]);
    for (const store of [root, mine]) {
      for (const one of await store.list()) await store.remove(one.url);
      store.close();
    }
  });

  test("the store is asked to encrypt", async () => {
    const asked: (string | string[] | undefined)[] = [];
    server.refuse(({ headers }) => {
      asked.push(headers["x-amz-server-side-encryption"], headers["x-amz-server-side-encryption-aws-kms-key-id"]);
      return undefined;
    });
    const store = open({ encryption: { algorithm: "aws:kms", keyId: "key" } });
    await store.put(backup("sealed.db", "2026-11-01T00:00:00Z"));
    expect(asked).toEqual(["aws:kms", "key", "aws:kms", "key"]);
    await store.remove("s3://backups/gatehouse/sealed.db");
    store.close();
  });
});

describe("OP-51 what is wrong with the store is a sentence that says what to mend", () => {
  const denied = { status: 403, code: "AccessDenied" };
  test.each<[string, Partial<ObjectStoreSettings>, { status: number; code: string } | undefined, RegExp]>([
    ["an unknown key", { credentials: { accessKeyId: "X", secretAccessKey: "x" } }, undefined, /S3_ACCESS_KEY_ID/],
    ["no such bucket", { target: { bucket: "none", prefix: "" } }, undefined, /s3:\/\/none.*no such bucket/],
    ["no permission", {}, denied, /may not do this .AccessDenied/],
    ["another region", {}, { status: 400, code: "AuthorizationHeaderMalformed" }, /GATEHOUSE_BACKUP_S3_REGION/],
    ["a full store", {}, { status: 507, code: "XMinioStorageFull" }, /no room/],
    ["a used up quota", {}, { status: 403, code: "QuotaExceeded" }, /no room/],
    ["nobody there", { endpoint: "http://127.0.0.1:1" }, undefined, /127.0.0.1:1 cannot be reached/],
  ])("%s", async (_, change, refusal, message) => {
    server.refuse(() => refusal);
    const store = open(change);
    await expect(store.put(backup("refused.db", "2026-11-01T00:00:00Z"))).rejects.toThrow(message);
    await expect(store.list()).rejects.toThrow(message);
    store.close();
  });

  test("a wrong secret of the key, which the message does not have", async () => {
    const checking = await startObjectStore({ signed: true });
    const credentials = { ...ACCESS_KEY, secretAccessKey: "not-the-secret" };
    const store = open({ endpoint: checking.endpoint, credentials });
    const failure: Error = await store.put(backup("one.db", "2026-11-01T00:00:00Z")).then(
      () => new Error("it was copied"),
      (error: Error) => error,
    );
    expect(failure.message).toMatch(/rejects the access key.*GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY/);
    expect(failure.message).not.toContain("not-the-secret");
    store.close();
    await checking.close();
  });

  test("no such object, and a URL that names none", async () => {
    const store = open();
    await expect(store.fetch("s3://backups/gatehouse/none.db", folder)).rejects.toThrow(/no such object/);
    expect(existsSync(join(folder, "none.db"))).toBe(false);
    await expect(store.fetch("s3://backups", folder)).rejects.toThrow(/names no object/);
    store.close();
  });
});
