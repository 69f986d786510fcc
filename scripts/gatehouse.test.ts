import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the command line runs from its sources where no build of this mode is up to date", () => {
  // No build is for this mode. CI: an installation asks nothing.
  const env = { ...process.env, NODE_ENV: "a mode of its own", CI: "true" };
  const output = execFileSync(process.execPath, [join(import.meta.dirname, "gatehouse.mjs"), "--help"], {
    env,
    encoding: "utf8",
  });
  expect(output).toContain("Usage: gatehouse");
});
