import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { rootFolder } from "@gatehouse/runtime/distribution";
import { configurationError } from "./configuration-error.mjs";

export const SECRET_VARIABLES = [
  "GATEHOUSE_SECRET",
  "GATEHOUSE_SECRET_PREVIOUS",
  "GATEHOUSE_ADMIN_PASSWORD",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_READ_URL",
  "GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY",
  "GATEHOUSE_SMTP_URL",
  "GATEHOUSE_CONSOLE_CLIENT_SECRET",
  "GATEHOUSE_CONSOLE_COOKIE_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
];
const READABLE_BY_OTHERS = 0o004;
const IS_WINDOWS = process.platform === "win32"; // it has no such bits

export function withSecretFiles(variables, workingDirectory) {
  const named = SECRET_VARIABLES.filter((name) => variables[`${name}_FILE`]);
  if (named.length === 0) return variables;
  const root = rootFolder(workingDirectory);
  const problems = [];
  const secrets = named.map((name) => {
    const { secret, problem } = variables[name]
      ? { problem: `must not be set beside ${name}` }
      : read(resolve(root, variables[`${name}_FILE`]));
    if (problem) problems.push(`${name}_FILE ${problem}`);
    return [name, secret];
  });
  if (problems.length > 0) throw configurationError(problems.join("; "));
  return { ...variables, ...Object.fromEntries(secrets) };
}

function read(file) {
  try {
    if (!IS_WINDOWS && (statSync(file).mode & READABLE_BY_OTHERS) !== 0)
      return { problem: `names ${file}, which every user of this machine can read: chmod o-r ${file}` };
    const secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return secret === "" ? { problem: `names ${file}, which is empty` } : { secret };
  } catch (error) {
    return {
      problem: `names ${file}, which ${error.code === "ENOENT" ? "does not exist" : `cannot be read (${error.code})`}`,
    };
  }
}
