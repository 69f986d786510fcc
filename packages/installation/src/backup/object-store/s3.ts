import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { manifestOf } from "@gatehouse/db/backup/backup";
import { parseManifest } from "@gatehouse/db/backup/list";
import type { ObjectStoreSettings } from "../../settings/backups.ts";
import { BackupError } from "../error.ts";
import { storeProblem } from "./problem.ts";
import { type ObjectStore, objectOf, type StoredBackup } from "./store.ts";

/** Of an upload, which has at most 10,000 parts. Two of them are in memory at a time. */
const LEAST_PART_BYTES = 8 * 2 ** 20;
const MOST_PARTS = 9_000;
const PARTS_AT_ONCE = 2;
const MANIFEST = ".db.json";

/** An S3-compatible store. */
export function openS3(settings: ObjectStoreSettings): ObjectStore {
  const client = createClient(settings);
  const encryption = encryptionOf(settings);

  async function ask<Result>(place: string, request: () => Promise<Result>): Promise<Result> {
    try {
      return await request();
    } catch (cause) {
      throw cause instanceof BackupError ? cause : storeProblem(cause, place, settings.endpoint);
    }
  }

  const put = (url: string, Body: string) =>
    ask(url, async () => {
      const { bucket: Bucket, key: Key } = objectOf(url);
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ...encryption }));
    });

  const upload = (url: string, file: string) =>
    ask(url, async () => {
      const { bucket: Bucket, key: Key } = objectOf(url);
      const params = { Bucket, Key, Body: createReadStream(file), ...encryption };
      const partSize = Math.max(LEAST_PART_BYTES, Math.ceil(statSync(file).size / MOST_PARTS));
      await new Upload({ client, params, partSize, queueSize: PARTS_AT_ONCE }).done();
    });

  const read = (url: string) =>
    ask(url, async () => {
      const { bucket: Bucket, key: Key } = objectOf(url);
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      if (!Body) throw new BackupError([`${url}: the store answered without a content.`]);
      return Body;
    });

  const remove = (url: string) =>
    ask(url, async () => {
      const { bucket: Bucket, key: Key } = objectOf(url);
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    });

  return {
    async list() {
      const { bucket, prefix } = targetOf(settings);
      const folder = `s3://${bucket}/${prefix}`;
      const keys = await ask(folder, async () => {
        const found: string[] = [];
        const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix, Delimiter: "/" });
        for await (const { Contents = [] } of pages) found.push(...Contents.flatMap(({ Key }) => Key ?? []));
        return new Set(found);
      });
      const backups: StoredBackup[] = [];
      for (const key of keys) {
        const file = key.slice(0, -".json".length);
        if (!key.endsWith(MANIFEST) || !keys.has(file)) continue;
        const url = `s3://${bucket}/${file}`;
        const text = await ask(manifestOf(url), async () => (await read(manifestOf(url))).transformToString());
        backups.push({ url, manifest: parseManifest(text, manifestOf(url)) });
      }
      return backups.toSorted((a, b) => a.manifest.made_at.localeCompare(b.manifest.made_at));
    },

    async put(file) {
      const { bucket, prefix } = targetOf(settings);
      const url = `s3://${bucket}/${prefix}${basename(file)}`;
      await upload(url, file);
      const text = readFileSync(manifestOf(file), "utf8");
      await put(manifestOf(url), text);
      return { url, manifest: parseManifest(text, manifestOf(file)) };
    },

    async fetch(url, folder) {
      const file = join(folder, basename(objectOf(url).key));
      const body = (await read(url)) as Readable; // in Node
      await ask(url, () => pipeline(body, createWriteStream(file, { mode: 0o600, flags: "wx" })));
      const manifest = await read(manifestOf(url));
      await writeFile(manifestOf(file), await manifest.transformToString(), { mode: 0o600 });
      return file;
    },

    async remove(url) {
      await remove(manifestOf(url));
      await remove(url);
    },

    close: () => client.destroy(),
  };
}

function createClient({ endpoint, region, credentials }: ObjectStoreSettings): S3Client {
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }), // few of them have a name for each bucket
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    // Many other stores know no trailing checksums. The manifest has the SHA-256 of the backup.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

function encryptionOf({ encryption }: ObjectStoreSettings) {
  if (encryption === undefined) return {};
  const { algorithm, keyId } = encryption;
  return { ServerSideEncryption: algorithm, ...(keyId !== undefined && { SSEKMSKeyId: keyId }) };
}

function targetOf({ target }: ObjectStoreSettings): NonNullable<ObjectStoreSettings["target"]> {
  if (target) return target;
  throw new BackupError(["No object store is set up: set GATEHOUSE_BACKUP_S3, like s3://backups/gatehouse."], 2);
}
