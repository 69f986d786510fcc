import { hkdfSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";

const origin = z.string().refine((value) => URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value), {
  error: "must be a bare origin like https://id.example.com, without a path or a slash at the end",
});

const schema = z.object({
  GATEHOUSE_ISSUER: origin.optional(),
  GATEHOUSE_ADMIN_URL: origin.optional(),
  PORT: z.string().default("3000"),
  ADMIN_PORT: z.string().default("3001"),
  GATEHOUSE_DATA_DIR: z.string().default(".data"),
  GATEHOUSE_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, "must be 32 bytes or longer, and the same as the server's")
    .optional(),
  NODE_ENV: z.string().optional(),
});

/** What the console knows of its surroundings. */
export type Env = {
  issuer: string;
  adminUrl: string;
  /** Served over https: cookies are Secure and carry the `__Host-` prefix. */
  secure: boolean;
  /** Served by `next dev`, whose scripts need `eval`. */
  development: boolean;
  /** Secret of the client `gatehouse-console`; the server derives the same one when it registers that client. */
  clientSecret: string;
  cookiePassword: string;
};

export const CLIENT_ID = "gatehouse-console";

let known: Env | undefined;

/**
 * Reads the environment at first use, so that a build needs none of it.
 * @throws Error with one clear message when a variable is wrong or no secret exists yet.
 */
export function env(): Env {
  known ??= readEnv(process.env, process.cwd());
  return known;
}

/** Empty variables count as absent; relative paths count from the repository's root. */
export function readEnv(variables: Record<string, string | undefined>, directory: string): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));

  const { PORT, ADMIN_PORT, GATEHOUSE_DATA_DIR: dataDir } = parsed.data;
  const issuer = parsed.data.GATEHOUSE_ISSUER ?? `http://localhost:${PORT}`;
  const adminUrl = parsed.data.GATEHOUSE_ADMIN_URL ?? `http://localhost:${ADMIN_PORT}`;
  const secret = parsed.data.GATEHOUSE_SECRET ?? readSecret(resolve(repositoryRoot(directory), dataDir));
  return {
    issuer,
    adminUrl,
    secure: adminUrl.startsWith("https:"),
    development: parsed.data.NODE_ENV === "development",
    clientSecret: `gcs_${derive(secret, "console client secret")}`,
    cookiePassword: derive(secret, "console cookie"),
  };
}

function derive(secret: string, info: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", info, 32)).toString("base64url");
}

/** The secret that the server generated into the data directory at its first start. */
function readSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  if (!existsSync(file)) throw new Error(`GATEHOUSE_SECRET is not set and ${file} does not exist: start the server once, it makes it`);
  return readFileSync(file, "utf8").trim();
}

function repositoryRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
