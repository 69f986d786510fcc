import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AccountSettings } from "@gatehouse/accounts";
import { EDITOR_SCHEMES, ENVIRONMENTS, isPrivateScheme, REGISTRATION_POLICIES } from "@gatehouse/auth";
import type { InboxLimits } from "@gatehouse/db";
import { LOCALES, type Locale } from "@gatehouse/languages";
import { repositoryRoot } from "@gatehouse/lifecycle/env-file";
import { isUrl } from "@gatehouse/net";
import { isLoopbackUrl } from "@gatehouse/net/loopback";
import type { ConsoleConfig } from "@gatehouse/operations";
import { email } from "@gatehouse/operations/schemas";
import { branding, scopes } from "@gatehouse/product";
import { z } from "zod";
import { accountSettings, accountVariables, levelSettings } from "./account-settings.ts";
import { type BrandDefaults, brandDefaults, brandVariables } from "./brand-settings.ts";
import { type MailSettings, mailSettings, mailVariables } from "./mail-settings.ts";
import { numberOf } from "./number-of.ts";
import { type PasswordSettings, passwordSettings, passwordVariables } from "./password-settings.ts";
import { ensureSecretFile } from "./secret-file.ts";

/** The settings of an installation, from its environment variables. */
export type Settings = {
  /** The variables that were set, from which these settings can be read again with others. */
  source: { variables: Readonly<Record<string, string>>; workingDirectory: string };
  config: ConsoleConfig;
  /** In the header and the title of every page, and in mails. */
  productName: string;
  brand: BrandDefaults;
  /** The language of people who did not say which one they read. */
  defaultLocale: Locale;
  adminUrl: string;
  databaseUrl: string;
  /** The most PostgreSQL connections that each process uses for requests; 10 if undefined. */
  databasePool: number | undefined;
  /** The same database past a connection pooler, for migrations. OP-27. */
  databaseDirectUrl: string | undefined;
  /** Whether statements on PostgreSQL have names. OP-27. */
  databasePrepare: "auto" | "on" | "off";
  /** Whether a server migrates an existing schema itself, or waits for `gatehouse migrate`. OP-62. */
  migrate: "auto" | "check";
  dataDir: string;
  /** The default folder of `gatehouse backup`. */
  backupDir: string;
  /** GATEHOUSE_SECRET, or the secret generated in the data directory. Every key is derived from it. */
  secret: string;
  /** What the webhook inbox keeps. */
  inbox: InboxLimits;
  /** For how many days rows of the audit log are kept. */
  auditDays: number;
  /** After how much time without use, and after how much in all, the console asks for a new sign-in. CO-89. */
  consoleSession: { idleSeconds: number; absoluteSeconds: number };
  /** How long a process may hold a job without a heartbeat before another one takes it. */
  jobLeaseSeconds: number;
  /** Where webhook handlers run, and how much memory their process may use. */
  handlers: { place: "process" | "inline"; memoryMb: number };
  passwords: PasswordSettings;
  mail: MailSettings;
  accounts: AccountSettings;
  /** A database that tells the place of an address, in the MaxMind DB format. */
  geoipFile: string | undefined;
  firstAdmin: { email: string | undefined; password: string | undefined };
};

/** An origin without a trailing slash; https, or http on loopback. SE-01, MD-02, RFC 8414 §2. */
const origin = z.string().superRefine((value, context) => {
  const tell = (message: string) => context.addIssue({ code: "custom", message });
  const url = isUrl(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return tell("must be a URL like https://id.example.com");
  if (value !== url.origin) return tell(`must be a bare origin without a path or a slash at the end: ${url.origin}`);
  if (url.protocol === "http:" && !isLoopbackUrl(value))
    return tell("must be https; plain http is only for localhost, 127.0.0.1 and [::1]");
  return undefined;
});

const port = z.string().regex(/^\d{1,5}$/, "must be a port number");

/** A list like `staging,production`. */
const environments = z.string().transform((value, context) => {
  const names = value.split(",").map((name) => name.trim());
  if (names.every((name) => ENVIRONMENTS.some((known) => known === name))) return ENVIRONMENTS.filter((name) => names.includes(name));
  context.addIssue({ code: "custom", message: `must be a list of ${ENVIRONMENTS.join(", ")}, separated by commas` });
  return z.NEVER;
});

/** A list like `cursor,vscode`, or `none`. CF-14. */
const privateSchemes = z.string().transform((value, context) => {
  const names = value.trim() === "none" ? [] : [...new Set(value.split(",").map((name) => name.trim()))];
  const wrong = names.find((name) => !isPrivateScheme(name));
  if (wrong === undefined) return names;
  const message = `must be none, or schemes of apps in lower case, separated by commas, without colons; ${JSON.stringify(wrong)} is none`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const schema = z.object({
  GATEHOUSE_ISSUER: origin.optional(),
  GATEHOUSE_ADMIN_URL: origin.optional(),
  PORT: port.default("3000"),
  ADMIN_PORT: port.default("3001"),
  GATEHOUSE_DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^(file:|postgres(ql)?:\/\/)/, "must start with file: (SQLite) or postgres:// (PostgreSQL)")
    .optional(),
  GATEHOUSE_BACKUP_DIR: z.string().optional(),
  GATEHOUSE_MIGRATE: z.enum(["auto", "check"], "must be auto or check").optional(),
  DATABASE_POOL: numberOf("connections", 1, 1000).optional(),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://: it is for migrations of PostgreSQL past a connection pooler")
    .optional(),
  DATABASE_PREPARE: z.enum(["auto", "on", "off"], "must be auto, on or off").default("auto"),
  GATEHOUSE_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, "must be 32 bytes or longer; make one with: openssl rand -base64 32")
    .optional(),
  GATEHOUSE_API_TOKEN_FORMAT: z.enum(["opaque", "jwt"], "must be opaque or jwt").default("opaque"),
  GATEHOUSE_API_ENVIRONMENTS: environments.optional(),
  GATEHOUSE_REGISTRATION: z.enum(REGISTRATION_POLICIES, `must be ${REGISTRATION_POLICIES.join(", ")}`).default("closed"),
  GATEHOUSE_REGISTRATION_SCHEMES: privateSchemes.default([...EDITOR_SCHEMES]),
  GATEHOUSE_CLIENT_METADATA_DOCUMENTS: z.enum(["on", "off"], "must be on or off").default("on"),
  GATEHOUSE_PRODUCT_NAME: z.string().trim().min(1).max(60, "must have 60 characters or fewer").default(branding.name),
  GATEHOUSE_DEFAULT_LOCALE: z.enum(LOCALES, `must be ${LOCALES.join(", ")}`).default("en"),
  GATEHOUSE_DELIVERY_DAYS: numberOf("days", 1, 100).default(30),
  GATEHOUSE_DELIVERY_MAX_MB: z.coerce.number("must be a number of megabytes").int().min(10).default(10_000),
  GATEHOUSE_AUDIT_DAYS: numberOf("days", 30, 3_650).default(400),
  GATEHOUSE_CONSOLE_IDLE_HOURS: numberOf("hours", 1, 336).default(12),
  GATEHOUSE_CONSOLE_SESSION_DAYS: numberOf("days", 1, 30).default(14),
  GATEHOUSE_JOB_LEASE_SECONDS: numberOf("seconds", 3, 3600).default(60),
  GATEHOUSE_HANDLERS: z.enum(["process", "inline"], "must be process or inline").default("process"),
  GATEHOUSE_HANDLERS_MB: numberOf("megabytes", 256, 65_536).default(512),
  ...brandVariables,
  ...passwordVariables,
  ...mailVariables,
  ...accountVariables,
  GATEHOUSE_GEOIP_FILE: z.string().optional(),
  GATEHOUSE_ADMIN_EMAIL: email.optional(),
  GATEHOUSE_ADMIN_PASSWORD: z.string().optional(),
});

/** The database's URL, and the variable that it comes from; undefined for the default. */
export type DatabasePlace = { url: string; namedBy: "DATABASE_URL" | "GATEHOUSE_DATA_DIR" | undefined };

/** Where the database is, from the variables alone. Creates nothing. */
export function databasePlace(variables: Record<string, string | undefined>, workingDirectory: string): DatabasePlace {
  const { DATABASE_URL: url, GATEHOUSE_DATA_DIR: dataDir } = variables;
  const root = repositoryRoot(workingDirectory);
  if (url) return { url: anchored(url, root), namedBy: "DATABASE_URL" };
  const file = join(resolve(root, dataDir || ".data"), "gatehouse.db");
  return { url: `file:${file}`, namedBy: dataDir ? "GATEHOUSE_DATA_DIR" : undefined };
}

/** Variables whose values are invalid, or do not go together. The message names all of them. */
export class SettingsError extends Error {
  readonly problems: readonly { variable: string; message: string }[];
  constructor(problems: readonly { variable: string; message: string }[]) {
    super(problems.map(({ variable, message }) => `${variable} ${message}`).join("; "));
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables; an empty variable counts as not set. Relative paths are relative to the repository's
 * root, wherever the process was started. Generates the secret file if there is no secret and the issuer is http on loopback.
 * Throws one SettingsError that names every invalid variable.
 */
export function readSettings(variables: Record<string, string | undefined>, workingDirectory: string): Settings {
  const given = Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map(({ path, message }) => ({ variable: path.join("."), message })));

  const { PORT, ADMIN_PORT, GATEHOUSE_SECRET } = parsed.data;
  const { GATEHOUSE_API_TOKEN_FORMAT: tokenFormat, GATEHOUSE_API_ENVIRONMENTS: apiEnvironments } = parsed.data;
  const issuer = parsed.data.GATEHOUSE_ISSUER ?? `http://localhost:${PORT}`;
  const adminUrl = parsed.data.GATEHOUSE_ADMIN_URL ?? `http://localhost:${ADMIN_PORT}`;
  const root = repositoryRoot(workingDirectory);
  const dataDir = resolve(root, parsed.data.GATEHOUSE_DATA_DIR);
  const databaseUrl = databasePlace(variables, workingDirectory).url;
  const { DATABASE_DIRECT_URL: databaseDirectUrl } = parsed.data;
  if (databaseDirectUrl && databaseUrl.startsWith("file:"))
    throw new SettingsError([{ variable: "DATABASE_DIRECT_URL", message: "is for PostgreSQL only: set DATABASE_URL too, or remove it" }]);
  const mail = mailSettings(parsed.data, issuer);
  return {
    source: { variables: given, workingDirectory },
    config: {
      issuer,
      resource: `${issuer}/api`,
      scopes,
      ...(tokenFormat === "jwt" && { tokenFormat }),
      ...(apiEnvironments && { apiEnvironments }),
      registration: parsed.data.GATEHOUSE_REGISTRATION,
      registrationSchemes: parsed.data.GATEHOUSE_REGISTRATION_SCHEMES,
      clientMetadataDocuments: parsed.data.GATEHOUSE_CLIENT_METADATA_DOCUMENTS === "on",
      uiLocales: LOCALES,
      consoleCallback: `${adminUrl}/try/callback`,
      ...levelSettings(parsed.data, issuer),
    },
    productName: parsed.data.GATEHOUSE_PRODUCT_NAME,
    brand: brandDefaults(parsed.data),
    defaultLocale: parsed.data.GATEHOUSE_DEFAULT_LOCALE,
    adminUrl,
    databaseUrl,
    databasePool: parsed.data.DATABASE_POOL,
    databaseDirectUrl,
    databasePrepare: parsed.data.DATABASE_PREPARE,
    migrate: parsed.data.GATEHOUSE_MIGRATE ?? (databaseUrl.startsWith("file:") ? "auto" : "check"),
    dataDir,
    backupDir: resolve(root, parsed.data.GATEHOUSE_BACKUP_DIR ?? join(dataDir, "backups")),
    secret: GATEHOUSE_SECRET ?? generatedSecret(issuer, dataDir),
    auditDays: parsed.data.GATEHOUSE_AUDIT_DAYS,
    consoleSession: {
      idleSeconds: parsed.data.GATEHOUSE_CONSOLE_IDLE_HOURS * 3_600,
      absoluteSeconds: parsed.data.GATEHOUSE_CONSOLE_SESSION_DAYS * 86_400,
    },
    inbox: { bodyDays: parsed.data.GATEHOUSE_DELIVERY_DAYS, maxBytes: parsed.data.GATEHOUSE_DELIVERY_MAX_MB * 1_000_000 },
    jobLeaseSeconds: parsed.data.GATEHOUSE_JOB_LEASE_SECONDS,
    handlers: { place: parsed.data.GATEHOUSE_HANDLERS, memoryMb: parsed.data.GATEHOUSE_HANDLERS_MB },
    passwords: passwordSettings(parsed.data, { mfaRequired: parsed.data.GATEHOUSE_MFA === "required", root }),
    mail,
    accounts: accountSettings(parsed.data, {
      issuer,
      productName: parsed.data.GATEHOUSE_PRODUCT_NAME,
      defaultLocale: parsed.data.GATEHOUSE_DEFAULT_LOCALE,
      delivery: mail.delivery,
    }),
    geoipFile: parsed.data.GATEHOUSE_GEOIP_FILE && resolve(root, parsed.data.GATEHOUSE_GEOIP_FILE),
    firstAdmin: { email: parsed.data.GATEHOUSE_ADMIN_EMAIL, password: parsed.data.GATEHOUSE_ADMIN_PASSWORD },
  };
}

function generatedSecret(issuer: string, dataDir: string): string {
  if (isLoopbackUrl(issuer) && issuer.startsWith("http:")) return ensureSecretFile(dataDir);
  const file = join(dataDir, "secret");
  if (existsSync(file))
    throw new Error(
      `GATEHOUSE_SECRET must be set for ${issuer}. This installation has a generated one, and its database opens with no other: ` +
        `set GATEHOUSE_SECRET to the content of ${file}`,
    );
  throw new Error(`GATEHOUSE_SECRET must be set for ${issuer}: 32 bytes or more, for example from: openssl rand -base64 32`);
}

/** A relative `file:` URL, made absolute. */
function anchored(url: string, root: string): string {
  return /^file:(?!\/)/.test(url) ? `file:${resolve(root, url.slice("file:".length))}` : url;
}
