import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../../..");
const script: string = JSON.parse(readFileSync(join(REPOSITORY, "apps/web/package.json"), "utf8")).scripts.start;
const preload = /-r (\S+)/.exec(script)?.[1] ?? "the start script preloads nothing";

/** The size that a program finds which is started as the server is. */
function sizeWith(env: Record<string, string>): string {
  const args = ["-r", join(REPOSITORY, "apps/web", preload), "-p", "process.env.UV_THREADPOOL_SIZE"];
  return execFileSync(process.execPath, args, { env: { ...env }, encoding: "utf8" }).trim();
}

test("OP-32 the start command gives Node two threads more than cores, at least six, unless the operator has said", () => {
  expect(sizeWith({})).toBe(String(Math.max(6, availableParallelism() + 2)));
  expect(sizeWith({ UV_THREADPOOL_SIZE: "3" })).toBe("3");
});
