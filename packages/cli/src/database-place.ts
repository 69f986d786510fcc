import { existsSync } from "node:fs";
import type { DatabasePlace } from "@gatehouse/installation";
import { confirmed } from "./confirm.ts";

/**
 * Prints to standard error which database a command works on. If no variable names one and the default does not exist,
 * asks before it is created: a server with other settings would not use it. Throws an error where nobody can be asked,
 * unless `create` is set.
 */
export async function confirmDatabase({ url, namedBy }: DatabasePlace, create: boolean): Promise<void> {
  console.error(
    `Database: ${describeUrl(url)} (${namedBy ?? "the default: neither GATEHOUSE_DATA_DIR nor DATABASE_URL is set"})`,
  );
  if (namedBy !== undefined || create || existsSync(url.slice("file:".length))) return;
  if (!(await confirmed("This database does not exist. Create it? [y/N] ")))
    throw new Error(
      "This database does not exist. Set GATEHOUSE_DATA_DIR or DATABASE_URL to the server's value, or add --create to create a new database.",
    );
}

/** A file's path; for PostgreSQL the server and the database's name, without the password. */
export function describeUrl(url: string): string {
  if (url.startsWith("file:")) return url.slice("file:".length);
  if (!URL.canParse(url)) return "PostgreSQL";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
