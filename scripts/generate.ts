// npm run generate: writes every file that is made from other files. With --check it writes nothing, and fails if a
// file is stale. Migrations are only checked, because `npm run db:generate` can ask questions.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commonPasswordsFile } from "../packages/accounts/common-passwords-file.ts";
import { errorPage } from "../packages/auth/src/errors/page.ts";
import { adminClientFile } from "../packages/console/admin-client-file.ts";
import { staleMigrations } from "../packages/db/src/testing/stale-migrations.ts";
import { configurationPage, environmentExample } from "../packages/installation/src/settings/page.ts";
import { collect } from "../packages/ui/src/quick-starts/testing/collect.ts";
import { auditLogPage } from "./audit-log-page.ts";
import { SPEC_PAGES, specPage } from "./spec-map/pages.ts";

const ROOT = join(import.meta.dirname, "..");

/** Each generated file, with what makes its content from what it contains now. */
const GENERATED: Record<string, (current: string) => string> = {
  "docs/audit-log.md": auditLogPage,
  ".env.example": environmentExample,
  "docs/configuration.md": configurationPage,
  "docs/errors.md": errorPage,
  "packages/accounts/src/passwords/common-passwords.ts": commonPasswordsFile,
  "packages/sdk/src/admin/procedures.ts": adminClientFile,
  "packages/ui/src/quick-starts/files.json": collect,
  ...Object.fromEntries(SPEC_PAGES.map((page) => [page, specPage])),
};

/** The generated files whose content is out of date, with the right one. */
export function staleFiles(): { file: string; content: string }[] {
  return Object.entries(GENERATED).flatMap(([file, contentFrom]) => {
    const current = readFileSync(join(ROOT, file), "utf8");
    const content = contentFrom(current);
    return content === current ? [] : [{ file, content }];
  });
}

async function generate({ check }: { check: boolean }): Promise<void> {
  const stale = staleFiles();
  for (const { file, content } of stale) {
    if (!check) writeFileSync(join(ROOT, file), content);
    console.log(check ? `✖ ${file} is stale: npm run generate` : `› ${file}`);
  }
  const engines = await staleMigrations();
  for (const engine of engines)
    console.log(`✖ The schema for ${engine} is not the one of its migrations: npm run db:generate`);
  process.exitCode = engines.length > 0 || (check && stale.length > 0) ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) await generate({ check: process.argv.includes("--check") });
