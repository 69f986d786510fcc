import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isBuilt, markBuilt, sourcesOf } from "./freshness.mjs";

const TREE = {
  "package.json": "{}",
  "pnpm-lock.yaml": "",
  "pnpm-workspace.yaml": "",
  "tsconfig.base.json": "{}",
  "turbo.json": "{}",
  "apps/web/server.ts": "serve();",
  "apps/web/server.test.ts": "test();",
  "apps/web/dist/server.mjs": "built",
  "apps/web/dist/next.mjs": "built",
  "apps/web/.next/BUILD_ID": "one",
  "apps/admin/.next/BUILD_ID": "two",
  "packages/cli/dist/main.mjs": "three",
  "packages/auth/src/authorization/pkce.ts": "export const a = 1;",
  "packages/auth/node_modules/x/index.js": "x",
  "node_modules/x": "x",
};

let root: string;
const write = (file: string, content: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-freshness-"));
  for (const [file, content] of Object.entries(TREE)) write(file, content);
  markBuilt(root, sourcesOf(root));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("what was built stays built, whatever happens to times, tests and what is installed", () => {
  expect(isBuilt(root)).toBe(true);
  utimesSync(join(root, "apps/web/server.ts"), 0, 0);
  write("apps/web/server.test.ts", "other();");
  write("packages/auth/README.md", "read me");
  write("packages/auth/node_modules/x/index.js", "y");
  expect(isBuilt(root)).toBe(true);
});

test("a build without NODE_ENV is one for production, and not one for development", () => {
  vi.stubEnv("NODE_ENV", "");
  markBuilt(root, sourcesOf(root));
  vi.stubEnv("NODE_ENV", "production");
  expect(isBuilt(root)).toBe(true);
  vi.stubEnv("NODE_ENV", "development");
  expect(isBuilt(root)).toBe(false);
  vi.unstubAllEnvs();
});

test("what is edited while a build runs wants another one", () => {
  const sources = sourcesOf(root);
  write("apps/web/server.ts", "serve(1);");
  markBuilt(root, sources);
  expect(isBuilt(root)).toBe(false);
});

test.each<[string, () => void]>([
  ["an edit that keeps the size", () => write("packages/auth/src/authorization/pkce.ts", "export const a = 2;")],
  ["a new file", () => write("packages/auth/src/new.ts", "")],
  ["a deletion", () => rmSync(join(root, "packages/auth/src/authorization/pkce.ts"))],
  ["a copy under another name", () => cpSync(join(root, "apps/web/server.ts"), join(root, "apps/web/serve.ts"))],
  ["a change of the lock file", () => write("pnpm-lock.yaml", "other")],
  ["a build of other sources by hand", () => write("apps/admin/.next/BUILD_ID", "three")],
  ["a cleaned output", () => rmSync(join(root, "apps/web/dist"), { recursive: true })],
  ["a fresh installation", () => rmSync(join(root, "node_modules"), { recursive: true })],
])("%s wants a build", (_, change) => {
  change();
  expect(isBuilt(root)).toBe(false);
});
