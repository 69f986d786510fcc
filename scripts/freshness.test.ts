import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isBuilt, markBuilt, PARTS, sourcesOf } from "./freshness.mjs";

const TREE = {
  "pnpm-lock.yaml": "",
  "pnpm-workspace.yaml": "",
  "tsconfig.base.json": "{}",
  "apps/web/package.json": '{ "dependencies": { "@gatehouse/console": "workspace:*", "next": "catalog:" } }',
  "apps/web/server.ts": "serve();",
  "apps/web/server.test.ts": "test();",
  "apps/web/dist/server.mjs": "built",
  "apps/web/dist/next.mjs": "built",
  "apps/web/dist/next-server.mjs": "built",
  "apps/web/dist/handlers.mjs": "built",
  "apps/web/dist/backup.mjs": "built",
  "apps/web/.next/BUILD_ID": "one",
  "apps/admin/.next/BUILD_ID": "two",
  "apps/admin/src/page.tsx": "page();",
  "packages/cli/dist/main.mjs": "three",
  "packages/console/package.json": '{ "dependencies": { "@gatehouse/auth": "workspace:*" } }',
  "packages/auth/src/authorization/pkce.ts": "export const a = 1;",
  "packages/auth/node_modules/x/index.js": "x",
  "node_modules/x": "x",
};

let root: string;
const write = (file: string, content: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
};
function markAllBuilt(sources = sourcesOf(root)) {
  for (const part of PARTS) markBuilt(root, part, sources[part.name]);
}
const stale = () => PARTS.filter((part) => !isBuilt(root, part)).map(({ name }) => name);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gatehouse-freshness-"));
  for (const [file, content] of Object.entries(TREE)) write(file, content);
  markAllBuilt();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("what was built stays built, whatever happens to times, tests and what is installed", () => {
  expect(stale()).toEqual([]);
  utimesSync(join(root, "apps/web/server.ts"), 0, 0);
  write("apps/web/server.test.ts", "other();");
  write("packages/auth/README.md", "read me");
  write("packages/auth/node_modules/x/index.js", "y");
  rmSync(join(root, "node_modules"), { recursive: true });
  expect(stale()).toEqual([]);
});

test("a build without NODE_ENV is one for production, and not one for development", () => {
  vi.stubEnv("NODE_ENV", "");
  markAllBuilt();
  vi.stubEnv("NODE_ENV", "production");
  expect(stale()).toEqual([]);
  vi.stubEnv("NODE_ENV", "development");
  expect(stale()).toHaveLength(PARTS.length);
  vi.unstubAllEnvs();
});

test("a build without source maps is not one with them", () => {
  vi.stubEnv("SOURCE_MAPS", "1");
  expect(stale()).toHaveLength(PARTS.length);
  vi.unstubAllEnvs();
});

test("what is edited while a build runs wants another one", () => {
  const sources = sourcesOf(root);
  write("apps/web/server.ts", "serve(1);");
  markAllBuilt(sources);
  expect(stale()).toEqual(["server"]);
});

const everything = PARTS.map(({ name }) => name);
test.each<[string, () => void, string[]]>([
  ["an edit that keeps the size", () => write("apps/web/server.ts", "stops();"), ["server"]],
  [
    "an edit in a package that the server has through another one",
    () => write("packages/auth/src/pkce.ts", ""),
    ["server"],
  ],
  ["an edit of the console", () => write("apps/admin/src/page.tsx", "other();"), ["console"]],
  ["an edit of the command line", () => write("packages/cli/src/main.ts", ""), ["command line"]],
  ["a deletion", () => rmSync(join(root, "packages/auth/src/authorization/pkce.ts")), ["server"]],
  [
    "a copy under another name",
    () => cpSync(join(root, "apps/web/server.ts"), join(root, "apps/web/serve.ts")),
    ["server"],
  ],
  ["a change of the lock file", () => write("pnpm-lock.yaml", "other"), everything],
  ["a build of other sources by hand", () => write("apps/admin/.next/BUILD_ID", "three"), ["console"]],
  ["a cleaned output", () => rmSync(join(root, "apps/web/dist"), { recursive: true }), ["server"]],
])("%s wants a build of what it changes", (_, change, parts) => {
  change();
  expect(stale()).toEqual(parts);
});
