import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const dockerfile = read("Dockerfile");
const lines = (file: string) => read(file).split("\n").filter(Boolean);

test("OP-02 both bases are pinned by digest, and are what the build can replace", () => {
  for (const name of ["BUILD", "BASE"])
    expect(dockerfile).toMatch(new RegExp(`^ARG ${name}=\\S+:\\S+@sha256:[0-9a-f]{64}$\\n`, "m"));
  expect([...dockerfile.matchAll(/^FROM \$\{(\w+)\}/gm)].map(([, from]) => from)).toEqual(["BUILD", "BASE"]);
});

test("OP-02 the build fetches by the lock file with the repository's pnpm, and installs without a network", () => {
  const { packageManager } = JSON.parse(read("package.json"));
  expect(dockerfile).toContain(`npm install --global ${packageManager} && pnpm fetch`);
  expect(dockerfile).toContain("pnpm install --offline --frozen-lockfile");
  expect(dockerfile).toContain("node scripts/bundle.mjs --installed");
});

test("OP-01 OP-02 the image runs as a user without rights, and every command in it is an array", () => {
  expect(dockerfile).toMatch(/^ARG RUN_AS=65532:65532\nUSER \$\{RUN_AS\}$/m);
  const commands = [...dockerfile.matchAll(/^(?:CMD|ENTRYPOINT|HEALTHCHECK .* CMD|HEALTHCHECK CMD) (.*)$/gm)];
  expect(commands.map(([, command]) => JSON.parse(command ?? ""))).toEqual([
    ["gatehouse", "health"],
    ["gatehouse"],
    ["web"],
  ]);
});

test("OP-02 the build sees no secret and no data: all that Git ignores of them is excluded", () => {
  const excluded = lines(".dockerignore").map((line) => line.replace(/^\*\*\//, ""));
  for (const name of [".env", ".data", "secrets", "node_modules", ".git"]) expect(excluded).toContain(name);
});

/** `next/image` with an optimizer and pages that are regenerated write into `.next`, which is read-only. */
test("OP-01 the console has no image optimizer", () => {
  expect(read("apps/admin/next.config.ts")).toMatch(/unoptimized: true/);
});
