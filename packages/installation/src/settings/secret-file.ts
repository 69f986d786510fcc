import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The installation's secret from its data directory, generated the first time and readable by its owner only. Processes
 * that start at the same time all get the same secret: creating a hard link is atomic, and only one can succeed.
 */
export function ensureSecretFile(dataDir: string): string {
  const file = join(dataDir, "secret");
  try {
    return read(file) || generate(file, dataDir);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    throw new Error(
      `The secret cannot be stored (${cause.message}). Set GATEHOUSE_DATA_DIR to a folder that this account can write to.`,
      {
        cause,
      },
    );
  }
}

function generate(file: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = join(dataDir, `.secret-${randomBytes(8).toString("hex")}`);
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause; // another process was first
  } finally {
    rmSync(draft, { force: true });
  }
  const secret = read(file);
  if (!secret) throw new Error(`${file} is empty. Restore the installation's secret, or set GATEHOUSE_SECRET.`);
  return secret;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return undefined;
    throw cause;
  }
}

const isCode = (cause: unknown, code: string) => cause instanceof Error && "code" in cause && cause.code === code;
