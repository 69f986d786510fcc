import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Config, REGISTRATIONS } from "@gatehouse/auth";
import { z } from "zod";
import { ensureSecretFile } from "./secret-file.ts";

/** What an installation is configured with, from its environment variables. */
export type Settings = {
  config: Config;
  adminUrl: string;
  databaseUrl: string;
  dataDir: string;
  /** GATEHOUSE_SECRET, or the one generated into the data directory. Every key is derived from it. */
  secret: string;
  firstAdmin: { email: string | undefined; password: string | undefined };
};

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const onLoopback = (url: string) => LOOPBACK.includes(new URL(url).hostname);

/** An origin without a slash at the end; https, or http on this machine. SE-01, RFC 8414 §2. */
const origin = z.string().superRefine((value, context) => {
  const tell = (message: string) => context.addIssue({ code: "custom", message });
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return tell("must be a URL like https://id.example.com");
  if (value !== url.origin) return tell(`must be a bare origin without a path or a slash at the end: ${url.origin}`);
  if (url.protocol === "http:" && !onLoopback(value)) return tell("must be https; plain http is only for localhost, 127.0.0.1 and [::1]");
  return undefined;
});

const port = z.string().regex(/^\d{1,5}$/, "must be a port number");

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
  GATEHOUSE_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, "must be 32 bytes or longer; make one with: openssl rand -base64 32")
    .optional(),
  GATEHOUSE_API_TOKEN_FORMAT: z.enum(["opaque", "jwt"], "must be opaque or jwt").default("opaque"),
  GATEHOUSE_REGISTRATION: z.enum(REGISTRATIONS, `must be ${REGISTRATIONS.join(", ")}`).default("closed"),
  GATEHOUSE_CLIENT_METADATA_DOCUMENTS: z.enum(["on", "off"], "must be on or off").default("on"),
  GATEHOUSE_ADMIN_EMAIL: z.string().optional(),
  GATEHOUSE_ADMIN_PASSWORD: z.string().optional(),
});

/**
 * Reads the settings from environment variables; an empty one counts as absent.
 * Relative paths count from the repository's root, whatever directory the process was started in.
 * Throws one error that names every variable at fault. Generates the secret file when it may and must.
 */
export function readSettings(variables: Record<string, string | undefined>, workingDirectory: string): Settings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));

  const { PORT, ADMIN_PORT, DATABASE_URL, GATEHOUSE_SECRET, GATEHOUSE_API_TOKEN_FORMAT: tokenFormat } = parsed.data;
  const issuer = parsed.data.GATEHOUSE_ISSUER ?? `http://localhost:${PORT}`;
  const adminUrl = parsed.data.GATEHOUSE_ADMIN_URL ?? `http://localhost:${ADMIN_PORT}`;
  const root = repositoryRoot(workingDirectory);
  const dataDir = resolve(root, parsed.data.GATEHOUSE_DATA_DIR);
  return {
    config: {
      issuer,
      resource: `${issuer}/api`,
      ...(tokenFormat === "jwt" && { tokenFormat }),
      registration: parsed.data.GATEHOUSE_REGISTRATION,
      clientMetadataDocuments: parsed.data.GATEHOUSE_CLIENT_METADATA_DOCUMENTS === "on",
    },
    adminUrl,
    databaseUrl: anchored(DATABASE_URL ?? `file:${join(dataDir, "gatehouse.db")}`, root),
    dataDir,
    secret: GATEHOUSE_SECRET ?? generatedSecret(issuer, dataDir),
    firstAdmin: { email: parsed.data.GATEHOUSE_ADMIN_EMAIL, password: parsed.data.GATEHOUSE_ADMIN_PASSWORD },
  };
}

function generatedSecret(issuer: string, dataDir: string): string {
  if (!onLoopback(issuer) || !issuer.startsWith("http:"))
    throw new Error(`GATEHOUSE_SECRET must be set for ${issuer}: 32 bytes or more, for example from: openssl rand -base64 32`);
  return ensureSecretFile(dataDir);
}

/** A relative `file:` URL, made absolute. */
function anchored(url: string, root: string): string {
  return /^file:(?!\/)/.test(url) ? `file:${resolve(root, url.slice("file:".length))}` : url;
}

function repositoryRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
