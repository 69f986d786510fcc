import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, inject, test, vi } from "vitest";
import { ROOT, scriptOf } from "../harness/commands.ts";
import { signIn } from "../harness/flow.ts";

const issuer = inject("issuer");
const FILE = "curl.json";

afterAll(() => rm(join(ROOT, FILE), { force: true }));

/** The commands of the section, with npm's script written out and this server's address. */
async function commandsOf(section: string): Promise<string> {
  const page = await readFile(join(ROOT, "docs/point-a-client.md"), "utf8");
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [guide = ""] = text.split("\n## ");
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  return blocks
    .join("")
    .replaceAll("http://localhost:3000", issuer)
    .replaceAll("npm run gatehouse --", await scriptOf(".", "gatehouse"));
}

test("the commands of docs/point-a-client.md, With curl, register clients and get each a token", async () => {
  const commands = await commandsOf("With curl");
  const shell = spawn("sh", ["-e", "-c", commands], { cwd: ROOT, env: { ...process.env, ...inject("env") } });
  let output = "";
  shell.stdout.on("data", (chunk) => (output += chunk));
  shell.stderr.on("data", (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => shell.once("close", resolve));
  const printed = (pattern: RegExp) =>
    vi.waitFor(() => pattern.exec(output)?.[1] ?? expect.fail(output), { timeout: 30_000, interval: 50 });

  const user = await signIn(issuer, "quick-start");
  const asked = new URL(await printed(/(http\S+\/authorize\?\S+)\n/));
  const answer = await user.post(await user.open(asked.pathname + asked.search), { button: "Allow" });
  shell.stdin.write(`${answer.headers.get("location")}\n`);

  const device = new URL(await printed(/"verification_uri_complete":"([^"]+)"/));
  await user.submit(await user.open(device.pathname + device.search), { button: "Allow" });

  expect([await ended, output]).toEqual([0, expect.stringContaining("HTTP/1.1 200")]);
  expect(output).toContain('"active":true');
  expect(output.match(/"access_token":"gat_/g)).toHaveLength(3); // the code, the service, the device
});
