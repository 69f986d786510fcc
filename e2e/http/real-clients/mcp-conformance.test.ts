import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { signIn } from "../../harness/flow.ts";
import { apply, ROOT } from "../../harness/gatehouse.ts";
import { freePort, launch, type Running } from "../../harness/processes.ts";

// The MCP project's conformance suite for authorization servers. It prints the URL for a user, and waits for the
// callback.

const issuer = inject("issuer");
const RUNNER = join(ROOT, "e2e/node_modules/@modelcontextprotocol/conformance/dist/index.js");
const HOOK = join(ROOT, "e2e/harness/conformance.ts");

type Check = { id: string; status: string; errorMessage?: string };
let folder = "";
let callbackPort = 0;
const started: Running[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-conformance-"));
  callbackPort = await freePort();
  const client = {
    client_id: "mcp-conformance",
    type: "native",
    redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
    scopes: ["api:read", "offline_access"],
  };
  await apply(
    { applications: [{ name: "MCP conformance", environments: { development: client } }] },
    folder,
    inject("env"),
  );
});
afterAll(async () => {
  for (const runner of started) await runner.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the suite, does the user's part, and returns its checks. */
async function run(args: string[]): Promise<Check[]> {
  const output = await mkdtemp(join(folder, "run-"));
  const command = [
    "--import",
    "tsx",
    "--import",
    HOOK,
    RUNNER,
    "authorization",
    "--url",
    issuer,
    "--output-dir",
    output,
    ...args,
  ];
  const runner = launch("node", command, { cwd: join(ROOT, "e2e"), env: {} });
  started.push(runner);
  const ended = new Promise<void>((resolve) => runner.child.once("exit", () => resolve()));
  const opened = new Promise<string>((resolve, reject) => {
    ended.then(() => reject(new Error(`the runner asked for nothing:\n${runner.output()}`)));
    runner.child.stdout?.on("data", () => {
      const url = /^http\S+\/authorize\?\S+$/m.exec(runner.output())?.[0];
      if (url !== undefined) resolve(url);
    });
  });

  const person = await signIn(issuer, "mcp-conformance");
  const { pathname, search } = new URL(await opened);
  const page = await person.open(pathname + search);
  const answer = page.text.includes("Allow") ? await person.submit(page, { button: "Allow" }) : page;
  await (await fetch(answer.headers.get("location") ?? "")).text();
  await ended;
  return checksIn(output);
}

async function checksIn(path: string): Promise<Check[]> {
  const files = (await readdir(path, { recursive: true })).filter((name) => name.endsWith("checks.json"));
  const all = await Promise.all(
    files.map(async (name): Promise<Check[]> => JSON.parse(await readFile(join(path, name), "utf8"))),
  );
  return all.flat();
}

describe("@modelcontextprotocol/conformance, authorization server", () => {
  test("MC-01 MC-02 MC-03 MC-05: every scenario passes, without a warning", async () => {
    const checks = await run(["--client-id", "mcp-conformance", "--port", String(callbackPort)]);
    expect(checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["authorization-server-metadata", "authorization-code-grant"]),
    );
    expect(checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO")).toEqual([]);
  });
});
