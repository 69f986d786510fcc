import { join, resolve } from "node:path";
import { isUrl } from "@gatehouse/runtime";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { type SettingsTable, shapeOf } from "./setting.ts";

export type BackupSettings = {
  /** Where backups are made, and where dumps of PostgreSQL are looked for. */
  dir: string;
  /** GATEHOUSE_BACKUP_DIR is set. */
  isDirSet: boolean;
  /** How old the newest backup gets before a server makes the next one; undefined: no server makes any. OP-51 */
  everySeconds: number | undefined;
  /** How many backups of days, weeks and months scheduled backups keep. OP-51 */
  keep: { days: number; weeks: number; months: number };
  objectStore: ObjectStoreSettings;
};

/** How an S3-compatible object store is reached. OP-51 */
export type ObjectStoreSettings = {
  /** Where backups are copied to; undefined: nowhere. `prefix` is empty, or ends with a slash. */
  target: { bucket: string; prefix: string } | undefined;
  /** Undefined: Amazon S3. */
  endpoint: string | undefined;
  region: string | undefined;
  /** Undefined: those that the AWS SDK finds, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  encryption: { algorithm: "AES256" | "aws:kms"; keyId: string | undefined } | undefined;
};

const HOUR = 3_600;
const MOST_HOURS = 24;
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/?$/;

export const BACKUPS = {
  GATEHOUSE_BACKUP_DIR: {
    value: z.string().optional(),
    docs: {
      default: "`backups` in the data folder",
      meaning:
        "the folder of [backups](operations.md#backups-and-the-drill). If it is set, servers on SQLite make backups " +
        "there; on PostgreSQL, the status watches the dumps in it",
      example: ".data/backups",
    },
  },
  GATEHOUSE_BACKUP_EVERY: {
    value: z
      .string()
      .regex(/^(off|([1-9]|1\d|2[0-4])h)$/, `must be off, or hours from 1h to ${MOST_HOURS}h`)
      .default("24h"),
    docs: {
      default: "`24h`",
      meaning:
        "how old the newest backup gets before a server makes the next one, from `1h` to `24h`; `off`: only " +
        "`gatehouse backup` makes any",
      example: "24h",
    },
  },
  GATEHOUSE_BACKUP_KEEP: {
    value: z
      .string()
      .regex(/^\d{1,3}d\d{1,3}w\d{1,3}m$/, "must say how many days, weeks and months, like 7d4w6m")
      .default("7d4w6m"),
    docs: {
      default: "`7d4w6m`",
      meaning:
        "what scheduled backups keep: the last backup of each of so many days, weeks and months, the newest and the " +
        "last verified one",
      example: "7d4w6m",
    },
  },
  GATEHOUSE_BACKUP_S3: {
    value: z
      .string()
      .regex(S3_URL, "must name a bucket, and may name a folder in it, like s3://backups/gatehouse")
      .optional(),
    docs: {
      default: "none",
      meaning:
        "where scheduled backups on SQLite are copied to: a bucket of [an S3-compatible object " +
        "store](operations.md#copies-in-an-object-store), and a folder that no other installation uses",
      example: "s3://backups/gatehouse",
    },
  },
  GATEHOUSE_BACKUP_S3_ENDPOINT: {
    value: z
      .string()
      .refine(
        isStoreAddress,
        "must be a URL without a path, like https://s3.example.com; http only on this machine or for a name without dots, like http://minio:9000",
      )
      .optional(),
    docs: {
      default: "Amazon S3",
      meaning: "the address of another store; its buckets are addressed by path",
      example: "https://s3.example.com",
    },
  },
  GATEHOUSE_BACKUP_S3_REGION: {
    value: z.string().optional(),
    docs: {
      default: "`us-east-1` with an endpoint, else `AWS_REGION` or that of the AWS profile",
      meaning: "the region of the bucket",
      example: "eu-central-1",
    },
  },
  GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID: {
    value: z.string().optional(),
    docs: {
      default: "what the AWS SDK finds: `AWS_ACCESS_KEY_ID`, a profile, or the role of the machine",
      meaning: "the access key",
      example: "",
    },
  },
  GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY: {
    secret: true,
    value: z.string().optional(),
    docs: { default: "none", meaning: "the secret of that access key", example: "" },
  },
  GATEHOUSE_BACKUP_S3_ENCRYPTION: {
    value: z
      .string()
      .regex(/^(AES256|aws:kms(:.+)?)$/, "must be AES256, aws:kms, or aws:kms: followed by the id of a key")
      .optional(),
    docs: {
      default: "that of the bucket",
      meaning: "how the store encrypts: `AES256`, `aws:kms`, or `aws:kms:<key id>`",
      example: "AES256",
    },
  },
} as const satisfies SettingsTable<object>;

export const backupVariables = shapeOf(BACKUPS);

type Given = z.output<z.ZodObject<typeof backupVariables>>;

/** `root`: what relative paths are relative to. Throws SettingsError. */
export function backupSettings(
  given: Given,
  { root, dataDir, onSqlite }: { root: string; dataDir: string; onSqlite: boolean },
): BackupSettings {
  const { GATEHOUSE_BACKUP_DIR: dir, GATEHOUSE_BACKUP_EVERY: every } = given;
  const objectStore = objectStoreSettings(given);
  if (objectStore.target && !onSqlite)
    throw wrongSetting("GATEHOUSE_BACKUP_S3", "is for SQLite only: PostgreSQL's own tools copy its backups");
  const makesBackups = onSqlite && every !== "off" && (dir !== undefined || objectStore.target !== undefined);
  return {
    dir: resolve(root, dir ?? join(dataDir, "backups")),
    isDirSet: dir !== undefined,
    everySeconds: makesBackups ? Number.parseInt(every, 10) * HOUR : undefined,
    keep: keepOf(given.GATEHOUSE_BACKUP_KEEP),
    objectStore,
  };
}

function objectStoreSettings(given: Given): ObjectStoreSettings {
  const {
    GATEHOUSE_BACKUP_S3: url,
    GATEHOUSE_BACKUP_S3_ENDPOINT: endpoint,
    GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    GATEHOUSE_BACKUP_S3_ENCRYPTION: encryption,
  } = given;
  if (accessKeyId !== undefined && secretAccessKey === undefined)
    throw wrongSetting("GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY", "must be set with GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID");
  if (accessKeyId === undefined && secretAccessKey !== undefined)
    throw wrongSetting("GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID", "must be set with GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY");
  return {
    target: url === undefined ? undefined : targetOf(url),
    endpoint,
    region: given.GATEHOUSE_BACKUP_S3_REGION ?? (endpoint === undefined ? undefined : "us-east-1"),
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
    encryption: encryption === undefined ? undefined : encryptionOf(encryption),
  };
}

/** `s3://bucket`, or `s3://bucket/folder`. */
function targetOf(url: string): NonNullable<ObjectStoreSettings["target"]> {
  const [, bucket = "", folder = ""] = S3_URL.exec(url) ?? [];
  return { bucket, prefix: folder === "" ? "" : `${folder}/` };
}

function encryptionOf(text: string): NonNullable<ObjectStoreSettings["encryption"]> {
  if (text === "AES256") return { algorithm: "AES256", keyId: undefined };
  const keyId = text.slice("aws:kms:".length);
  return { algorithm: "aws:kms", keyId: keyId === "" ? undefined : keyId };
}

/** A backup has every address and hash: it crosses no network in the clear but that of containers on one machine. */
function isStoreAddress(text: string): boolean {
  if (!isUrl(text)) return false;
  const { protocol, origin, hostname } = new URL(text);
  if (text !== origin && text !== `${origin}/`) return false;
  return protocol === "https:" || (protocol === "http:" && (isLoopbackUrl(text) || /^[a-z0-9-]+$/.test(hostname)));
}

function keepOf(text: string): BackupSettings["keep"] {
  const [days = 0, weeks = 0, months = 0] = (text.match(/\d+/g) ?? []).map(Number);
  return { days, weeks, months };
}
