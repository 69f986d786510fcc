// npm run generate: writes every file that is made from other files. With --check it writes nothing, and fails if a file is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commonPasswordsFile } from "../packages/accounts/common-passwords-file.ts";
import { errorPage } from "../packages/auth/src/errors/page.ts";
import { collect } from "../packages/quick-starts/src/testing/collect.ts";

const ROOT = join(import.meta.dirname, "..");

/** Each generated file, with what makes its content from what it contains now. */
const GENERATED: Record<string, (current: string) => string> = {
  "docs/errors.md": errorPage,
  "packages/accounts/src/passwords/common-passwords.ts": commonPasswordsFile,
  "packages/quick-starts/src/files.json": collect,
};

/** The generated files whose content is out of date, with the right one. */
export function staleFiles(): { file: string; content: string }[] {
  return Object.entries(GENERATED).flatMap(([file, contentFrom]) => {
    const current = readFileSync(join(ROOT, file), "utf8");
    const content = contentFrom(current);
    return content === current ? [] : [{ file, content }];
  });
}

function generate(args: readonly string[]): void {
  const stale = staleFiles();
  if (args.includes("--check")) {
    for (const { file } of stale) console.error(`✖ ${file} is stale: npm run generate`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const { file, content } of stale) {
    writeFileSync(join(ROOT, file), content);
    console.log(`› ${file}`);
  }
}

if (process.argv[1] === import.meta.filename) generate(process.argv.slice(2));
