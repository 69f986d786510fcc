import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { DatabasePlace } from "@gatehouse/installation";

/**
 * Says on standard error which database a command works on. Where no variable names it and there is none, asks before one is made:
 * a server that is configured elsewhere would know nothing of it. Throws an error where nobody can be asked, unless `create` is set.
 */
export async function confirmPlace({ url, namedBy }: DatabasePlace, create: boolean): Promise<void> {
  console.error(`Database: ${describeUrl(url)} (${namedBy ?? "the default: neither GATEHOUSE_DATA_DIR nor DATABASE_URL is set"})`);
  if (namedBy !== undefined || create || existsSync(url.slice("file:".length))) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY || !(await agreed("There is no database there. Create it? [y/N] ")))
    throw new Error(
      "There is no database there. Set GATEHOUSE_DATA_DIR or DATABASE_URL as the server has it, or add --create to make a new database.",
    );
}

/** A file's path; for PostgreSQL the server and the database's name, and no password. */
function describeUrl(url: string): string {
  if (url.startsWith("file:")) return url.slice("file:".length);
  if (!URL.canParse(url)) return "PostgreSQL";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

async function agreed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
