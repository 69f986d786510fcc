import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PASSES = 'test("passes", () => {});';
/** Run by a vitest of their own. */
const FILES = {
  "passes.test.js": `${PASSES} test.skip("is skipped", () => {});`,
  "fails.test.js": `${PASSES} describe("a suite", () => { test("fails", () => { throw new Error("the cause"); }); });`,
  "fails-in-a-hook.test.js": `import { beforeAll } from "vitest"; beforeAll(() => { throw new Error("the hook"); }); ${PASSES}`,
  "fails-when-loaded.test.js": 'throw new Error("the load");',
  "fails-outside.test.js": `Promise.reject(new Error("the rejection")); ${PASSES}`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(ROOT, "scripts/test/.reporter-"));
  writeFileSync(join(folder, "vitest.config.js"), "export default {};"); // not the repository's
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, name), `import { describe, test } from "vitest";\n${text}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...names: (keyof typeof FILES)[]) {
  const report = join(folder, "report.json");
  const reporter = join(import.meta.dirname, "vitest-reporter.mjs");
  const args = ["run", "--root", folder, `--reporter=${reporter}`, ...names];
  const { status, stdout, stderr } = spawnSync(join(ROOT, "node_modules/.bin/vitest"), args, {
    env: { ...process.env, GATEHOUSE_TEST_REPORT: report },
    encoding: "utf8",
  });
  return { status, output: stdout + stderr, ...JSON.parse(readFileSync(report, "utf8")) };
}

test("counts what passed, failed and was skipped, and names each failure with its message", () => {
  const { status, passed, failed, skipped, failures, files } = run("passes.test.js", "fails.test.js");
  expect({ status, passed, failed, skipped }).toEqual({ status: 1, passed: 2, failed: 1, skipped: 1 });
  expect(failures).toEqual([
    { title: "fails.test.js › a suite > fails", messages: [expect.stringContaining("the cause")] },
  ]);
  expect(files.map(({ file }: { file: string }) => file).toSorted()).toEqual(["fails.test.js", "passes.test.js"]);
});

test("counts a failed hook, a file that cannot be loaded and an unhandled rejection as failures", () => {
  const { status, failures } = run("fails-in-a-hook.test.js", "fails-when-loaded.test.js", "fails-outside.test.js");
  const messages = failures.flatMap((failure: { messages: string[] }) => failure.messages).toSorted();
  expect(status).toBe(1);
  expect(messages).toEqual(["the hook", "the load", "the rejection"]);
});
