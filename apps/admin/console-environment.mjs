// Derives the console's two keys, so that its process never sees GATEHOUSE_SECRET. Plain JavaScript,
// because the start commands import it before the build.
import { hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND, rootFolder } from "@gatehouse/runtime/distribution";

const ROOT = rootFolder(fileURLToPath(new URL(".", import.meta.url)));
const CLIENT_SECRET = "GATEHOUSE_CONSOLE_CLIENT_SECRET";
const COOKIE_KEY = "GATEHOUSE_CONSOLE_COOKIE_KEY";
const CONSOLE_VARIABLES = [
  "GATEHOUSE_ISSUER",
  "GATEHOUSE_ADMIN_URL",
  "GATEHOUSE_DRAIN_SECONDS",
  "GATEHOUSE_STOP_SECONDS",
  "GATEHOUSE_TLS_CERT_FILE",
  "GATEHOUSE_TLS_KEY_FILE",
  "GATEHOUSE_TRUST_PROXY",
  "GATEHOUSE_TRUSTED_PROXIES",
  CLIENT_SECRET,
  COOKIE_KEY,
];

/** The variables that change nothing until a restart. OP-17 */
export const READ_AT_START = [
  ...CONSOLE_VARIABLES,
  "GATEHOUSE_SECRET",
  "GATEHOUSE_SECRET_PREVIOUS",
  "GATEHOUSE_DATA_DIR",
  "HOST",
  "ADMIN_PORT",
];

/**
 * The environment for the console's process: its two keys, without the variables that give access to the secret or the
 * database. Uses the keys in `variables`, or derives them from GATEHOUSE_SECRET or the secret file in the data
 * directory.
 * @throws Error that says what is missing.
 */
export function consoleEnvironment(variables) {
  const shared = Object.entries(variables).filter(([name]) => !isServerSetting(name));
  return { ...Object.fromEntries(shared), ...consoleKeys(variables) };
}

/** The file with the secret that the server generates; undefined if `variables` has the secret or the keys. */
export function requiredSecretFile(variables) {
  if (variables[CLIENT_SECRET] || variables[COOKIE_KEY] || variables.GATEHOUSE_SECRET) return undefined;
  return join(resolve(ROOT, variables.GATEHOUSE_DATA_DIR || ".data"), "secret");
}

function isServerSetting(name) {
  if (name.startsWith("GATEHOUSE_")) return !CONSOLE_VARIABLES.includes(name);
  return /^(DATABASE_|PG[A-Z])/.test(name);
}

function consoleKeys(variables) {
  const given = [CLIENT_SECRET, COOKIE_KEY].filter((name) => variables[name]);
  if (given.length === 2) return { [CLIENT_SECRET]: variables[CLIENT_SECRET], [COOKIE_KEY]: variables[COOKIE_KEY] };
  if (given.length === 1)
    throw new Error(
      `${given[0]} is set without the other key: set both ${CLIENT_SECRET} and ${COOKIE_KEY}, or neither`,
    );
  const secret = variables.GATEHOUSE_SECRET || readSecretFile(requiredSecretFile(variables));
  // OP-15: cookies of a secret that still counts open, and are sealed again with the current one
  const secrets = [secret, ...previousSecrets(variables)];
  if (secrets.some((one) => Buffer.byteLength(one) < 32))
    throw new Error(
      "GATEHOUSE_SECRET and GATEHOUSE_SECRET_PREVIOUS must be at least 32 bytes long and have the same values as on the server",
    );
  return {
    [CLIENT_SECRET]: `gcs_${derive(secret, "console client secret")}`,
    [COOKIE_KEY]: secrets.map((one) => derive(one, "console cookie")).join(","),
  };
}

/** As the server reads the list. */
function previousSecrets({ GATEHOUSE_SECRET_PREVIOUS: list = "" }) {
  const secrets = list.split(list.includes("\n") ? "\n" : ",").map((secret) => secret.trim());
  return secrets.filter((secret) => secret !== "");
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
      `GATEHOUSE_SECRET is not set and ${file} ${why}. Set GATEHOUSE_SECRET to the server's value, ` +
        `or set ${CLIENT_SECRET} and ${COOKIE_KEY} to the values that \`${COMMAND} console-keys\` prints on the server`,
      { cause },
    );
  }
}
