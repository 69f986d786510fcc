import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** What the console's server, which is plain JavaScript, passes on. */
function forwardedFor(claimed: string | undefined, trustProxy: boolean): string {
  const script = `
    import { forwardedFor } from "./apps/admin/browser-address.mjs";
    const { claimed, trustProxy } = JSON.parse(process.argv[1]);
    process.stdout.write(forwardedFor(claimed, "192.0.2.1", trustProxy));
  `;
  const cwd = new URL("../..", import.meta.url);
  const call = JSON.stringify({ claimed, trustProxy });
  return execFileSync(process.execPath, ["--input-type=module", "-e", script, call], { cwd, encoding: "utf8" });
}

test("CO-64 without a trusted proxy the address in the audit log is the socket's, whatever the browser claims", () => {
  expect(forwardedFor("203.0.113.9", false)).toBe("192.0.2.1");
  expect(forwardedFor(undefined, true)).toBe("192.0.2.1");
});

test("CO-64 behind a trusted proxy the address is the one that the proxy appended", () => {
  expect(forwardedFor("6.6.6.6, 203.0.113.9", true).split(",").at(-1)?.trim()).toBe("203.0.113.9");
});
