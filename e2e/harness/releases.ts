import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../../scripts/pack/bundle.mjs";
import { ROOT } from "./commands.ts";
import { launch, type Running } from "./processes.ts";

/** Two programs that run beside each other during an upgrade, as folders that `npm run bundle` writes. */
export type Releases = { older: string; newer: string; olderIs: string };

const ADDED = "0001_only_in_the_newer_release";

/**
 * The newest release and the working tree. Before there is a release, the working tree stands for both, and the newer one has
 * one more migration that expands the schema. OP-60
 */
export async function makeReleases(work: string): Promise<Releases> {
  const [older, newer] = [join(work, "older"), join(work, "newer")];
  await bundle(newer);
  const tag = await newestTag();
  if (tag === undefined) {
    await cp(newer, older, { recursive: true });
    await addMigration(newer);
    return { older, newer, olderIs: "the working tree without the migration" };
  }
  const clone = join(work, "clone");
  const run = promisify(execFile);
  await run("git", ["clone", "--quiet", "--branch", tag, ROOT, clone]);
  await run("npm", ["run", "bundle"], { cwd: clone, env: { ...process.env, NODE_ENV: "" } });
  await cp(join(clone, "dist/gatehouse"), older, { recursive: true });
  return { older, newer, olderIs: tag };
}

async function newestTag(): Promise<string | undefined> {
  const args = ["tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"];
  const { stdout } = await promisify(execFile)("git", args, { cwd: ROOT });
  return stdout.split("\n").find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
}

/** As a release brings one: a table, a column and an index more. */
async function addMigration(release: string): Promise<void> {
  const folder = join(release, "migrations/postgres");
  const journal = join(folder, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8")) as { entries: object[] };
  const entry = { idx: entries.length, version: "7", when: entries.length, tag: ADDED, breakpoints: true };
  await writeFile(journal, JSON.stringify({ ...rest, entries: [...entries, entry] }));
  const statements = [
    'ALTER TABLE "users" ADD COLUMN "added_later" text',
    'CREATE TABLE "made_later" ("id" text PRIMARY KEY NOT NULL, "at" bigint NOT NULL)',
    'CREATE INDEX "made_later_at" ON "made_later" ("at")',
  ];
  await writeFile(
    join(folder, `${ADDED}.sql`),
    `-- phase: expand\n${statements.join(";--> statement-breakpoint\n")};\n`,
  );
}

const programOf = (release: string) => join(release, "bin/gatehouse.mjs");

/** Runs a command of a release to its end, and returns its standard output. */
export async function runRelease(
  release: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const options = { cwd: release, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [programOf(release), ...args], options);
  return stdout;
}

/** Starts `gatehouse web` of a release. */
export const startRelease = (release: string, env: Record<string, string>, port: number): Running =>
  launch(process.execPath, [programOf(release), "web"], { cwd: release, env: { ...env, PORT: String(port) } });
