// Derives the console's two keys, so that its own process never gets GATEHOUSE_SECRET. Plain JavaScript without dependencies:
// the start commands import it before anything is built.
import { hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT_SECRET = "GATEHOUSE_CONSOLE_CLIENT_SECRET";
const COOKIE_KEY = "GATEHOUSE_CONSOLE_COOKIE_KEY";
const FOR_THE_CONSOLE = [
  "GATEHOUSE_ISSUER",
  "GATEHOUSE_ADMIN_URL",
  "GATEHOUSE_DRAIN_SECONDS",
  "GATEHOUSE_STOP_SECONDS",
  CLIENT_SECRET,
  COOKIE_KEY,
];

/**
 * The environment for the console's process: its two keys, and none of the settings that lead to the secret or the database.
 * The keys are taken as given, or derived from GATEHOUSE_SECRET or the secret file in the data directory.
 * Throws one clear error when there is neither.
 */
export function consoleEnvironment(variables) {
  const shared = Object.entries(variables).filter(([name]) => !isServerSetting(name));
  return { ...Object.fromEntries(shared), ...consoleKeys(variables) };
}

/** Where the server keeps the secret that it generated; undefined when this environment names the secret or the keys itself. */
export function neededSecretFile(variables) {
  if (variables[CLIENT_SECRET] || variables[COOKIE_KEY] || variables.GATEHOUSE_SECRET) return undefined;
  return join(resolve(ROOT, variables.GATEHOUSE_DATA_DIR || ".data"), "secret");
}

function isServerSetting(name) {
  if (name.startsWith("GATEHOUSE_")) return !FOR_THE_CONSOLE.includes(name);
  return name === "DATABASE_URL" || /^PG[A-Z]/.test(name);
}

function consoleKeys(variables) {
  const given = [CLIENT_SECRET, COOKIE_KEY].filter((name) => variables[name]);
  if (given.length === 2) return { [CLIENT_SECRET]: variables[CLIENT_SECRET], [COOKIE_KEY]: variables[COOKIE_KEY] };
  if (given.length === 1)
    throw new Error(`${given[0]} is set without the other key: set both ${CLIENT_SECRET} and ${COOKIE_KEY}, or neither`);
  const secret = variables.GATEHOUSE_SECRET || readSecretFile(neededSecretFile(variables));
  if (Buffer.byteLength(secret) < 32) throw new Error("GATEHOUSE_SECRET must be 32 bytes or longer, and the same as the server's");
  return { [CLIENT_SECRET]: `gcs_${derive(secret, "console client secret")}`, [COOKIE_KEY]: derive(secret, "console cookie") };
}

function derive(secret, purpose) {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString("base64url");
}

function readSecretFile(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const why = cause.code === "ENOENT" ? "does not exist" : `cannot be read (${cause.code})`;
    throw new Error(
      `GATEHOUSE_SECRET is not set and ${file} ${why}. Set GATEHOUSE_SECRET as the server has it, ` +
        `or set ${CLIENT_SECRET} and ${COOKIE_KEY} as \`npm run gatehouse -- console-keys\` prints them on the server`,
      { cause },
    );
  }
}
