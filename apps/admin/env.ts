import { hkdfSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";

const origin = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));

const schema = z.object({
  GATEHOUSE_ISSUER: origin.default("http://localhost:3000"),
  GATEHOUSE_ADMIN_URL: origin.default("http://localhost:3001"),
  GATEHOUSE_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  GATEHOUSE_DATA_DIR: z.string().min(1).optional(),
});

/** What the console knows of its surroundings. */
export type Env = {
  issuer: string;
  adminUrl: string;
  /** Served over https: cookies are Secure and carry the `__Host-` prefix. */
  secure: boolean;
  /** Secret of the client `gatehouse-console`; the server derives the same one when it registers that client. */
  clientSecret: string;
  cookiePassword: string;
};

export const CLIENT_ID = "gatehouse-console";
const SECRET_FILE = "secret";

let known: Env | undefined;

/**
 * Reads the environment at first use, so that a build needs none of it.
 * @throws Error with one clear message when a variable is wrong or no secret exists yet.
 */
export function env(): Env {
  known ??= readEnv(process.env, process.cwd());
  return known;
}

export function readEnv(variables: Record<string, string | undefined>, directory: string): Env {
  const parsed = schema.safeParse(variables);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
  }
  const { GATEHOUSE_ISSUER: issuer, GATEHOUSE_ADMIN_URL: adminUrl, GATEHOUSE_SECRET, GATEHOUSE_DATA_DIR } = parsed.data;
  const secret = GATEHOUSE_SECRET ?? readSecret(GATEHOUSE_DATA_DIR, directory);
  return {
    issuer,
    adminUrl,
    secure: adminUrl.startsWith("https:"),
    clientSecret: `gcs_${derive(secret, "console client secret")}`,
    cookiePassword: derive(secret, "console cookie"),
  };
}

function derive(secret: string, info: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", info, 32)).toString("base64url");
}

/** The secret that the server generated into the data directory at its first start. */
function readSecret(dataDirectory: string | undefined, directory: string): string {
  const root = repositoryRoot(directory);
  const file = join(resolve(root, dataDirectory ?? ".data"), SECRET_FILE);
  if (!existsSync(file))
    throw new Error(`GATEHOUSE_SECRET is not set and ${file} does not exist: start the Gatehouse server once, it creates it`);
  return readFileSync(file, "utf8").trim();
}

function repositoryRoot(directory: string): string {
  if (existsSync(join(directory, "pnpm-workspace.yaml"))) return directory;
  const parent = dirname(directory);
  return parent === directory ? process.cwd() : repositoryRoot(parent);
}
