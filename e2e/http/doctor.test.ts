import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ROOT } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, query } from "../harness/trpc.ts";

const issuer = inject("issuer");
type Finding = {
  check: string;
  endpoint: string | null;
  state: string;
  seen: string;
  sentence: string;
  fix: string | null;
};

/** Runs the command line; `env` names the installation, or is empty. */
function doctor(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const command = [join(ROOT, "packages/cli/dist/main.mjs"), "doctor", ...args];
    execFile(
      process.execPath,
      command,
      { cwd: ROOT, env: { PATH: process.env["PATH"], GATEHOUSE_ENV_FILE: "off", ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

const failuresOf = (stdout: string) => (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === "failed");

describe("gatehouse doctor", () => {
  test("finds one thing wrong with this installation, and stores what it signs as probes that no handler gets", async () => {
    const { code, stdout, stderr } = await doctor(["--json"], inject("env"));
    expect(stderr).not.toMatch(/ at .*\.ts:/);
    // OP-16 It trusts a proxy although there is none, so any caller can claim any address.
    expect(failuresOf(stdout).map(({ check }) => check)).toEqual(["caller_address"]);
    expect(code).toBe(1);
    const findings = JSON.parse(stdout) as Finding[];
    expect(
      findings.filter(({ check, state }) => check === "bodies" && state === "ok").map(({ endpoint }) => endpoint),
    ).toContain("stripe");

    const token = await consoleToken(issuer, "viewer");
    type Row = { id: string; source: string; eventId: string | null };
    const { items } = dataOf<{ items: Row[] }>(
      await query(issuer, "deliveries.list", { limit: 100, provider: "stripe", outcome: "accepted" }, token),
    );
    const probes = items.filter(({ eventId }) => eventId?.startsWith("probe_"));
    expect(probes.map(({ source }) => source)).toEqual(["probe", "probe"]);
  });

  test("OP-05 OP-27 its parts look at the proxy and the database alone", async () => {
    const parts = async (name: string) => {
      const { stdout } = await doctor([name, "--json"], inject("env"));
      return (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === "ok").map(({ check }) => check);
    };
    expect(await parts("proxy")).toEqual(expect.arrayContaining(["issuer", "events", "large_cookies", "body_limit"]));
    expect(await parts("db")).toEqual(expect.arrayContaining(["db_reachable", "db_schema"]));
    expect(await parts("webhooks")).toEqual(expect.arrayContaining(["unsigned", "forged", "bodies"]));
  });

  test("prints for people, and exits with 1 if a check fails", async () => {
    const { code, stdout } = await doctor([issuer, "--endpoint", "stripe", "clerk"]);
    expect(stdout).toContain("/api/webhooks/clerk");
    expect(stdout).toMatch(
      /✗ .*wrong signature.*\n.*No signing secret is configured.*\n.*Fix: Add the signing secret of Clerk/,
    );
    expect([code, stdout.match(/1 failed/)?.length]).toEqual([1, 1]);
  });
});

describe("a proxy in front of the server", () => {
  let proxy: ReturnType<typeof createServer>;
  let address: string;
  beforeAll(async () => {
    const { port, hostname } = new URL(issuer);
    // Passes everything on, but redirects a path with a slash at its end, and cuts large bodies.
    proxy = createServer(async (incoming, outgoing) => {
      if (/.\/$/.test(incoming.url ?? ""))
        return void outgoing.writeHead(308, { location: incoming.url?.slice(0, -1) ?? "/" }).end();
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const body = Buffer.concat(chunks).subarray(0, 64 * 1024);
      const headers = { ...incoming.headers, "content-length": String(body.length) };
      const passed = request({ port, hostname, path: incoming.url, method: incoming.method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      passed.end(body);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  test("is caught changing what passes through it", async () => {
    const { code, stdout } = await doctor([address, "--json"]);
    expect(code).toBe(1);
    expect(failuresOf(stdout).map(({ check }) => check)).toEqual(["issuer", "jwks", "oversize", "trailing_slash"]);
  });
});
