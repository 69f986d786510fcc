import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { INITIAL } from "./src/migrations/read.ts";

// Until the first release: makes each engine's initial migration from the schema and from the statements in
// `migrations/handwritten`, which drizzle-kit does not know. The same schema gives the same files.

/** On SQLite, one tree each. drizzle cannot express it. */
const WITHOUT_ROWID = new Set(
  `access_tokens application_refusals application_use client_day client_hosts client_use refresh_families scope_day secret_day stat_day stat_hour totals uri_day
   webhook_effects webhook_events`.split(/\s+/),
);
const BREAKPOINT = "--> statement-breakpoint";
const NIL = "00000000-0000-0000-0000-000000000000";

for (const engine of ["sqlite", "postgres"]) {
  const folder = join(import.meta.dirname, "migrations", engine);
  rmSync(folder, { recursive: true, force: true });
  const run = [
    "exec",
    "--",
    "drizzle-kit",
    "generate",
    "--config",
    `drizzle.${engine}.config.ts`,
    "--name",
    INITIAL.replace("0000_", ""),
  ];
  execFileSync("npm", run, { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });

  edit(join(folder, `${INITIAL}.sql`), (generated) => {
    const handwritten = readFileSync(join(folder, "..", "handwritten", `${engine}.sql`), "utf8");
    return `${engine === "sqlite" ? withoutRowid(generated) : generated}\n${BREAKPOINT}\n${handwritten}`;
  });
  edit(join(folder, "meta/_journal.json"), (text) => `${text.replace(/"when": \d+/, '"when": 0')}\n`);
  edit(
    join(folder, "meta/0000_snapshot.json"),
    (text) => `${text.replace(/"id": "[\w-]{36}"/, `"id": "${NIL.replace(/0$/, "1")}"`)}\n`,
  );
}

function withoutRowid(sql: string): string {
  const left = new Set(WITHOUT_ROWID);
  const statements = sql.split(BREAKPOINT).map((statement) => {
    const [, table = ""] = /^\s*CREATE TABLE `(\w+)`/.exec(statement) ?? [];
    return left.delete(table) ? statement.replace(/\);\s*$/, ") WITHOUT ROWID;\n") : statement;
  });
  if (left.size > 0) throw new Error(`These tables are not in the schema: ${[...left].join(", ")}.`);
  return statements.join(BREAKPOINT);
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
