import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { startConsole } from "../harness/gatehouse.ts";
import { freePort, type Running } from "../harness/processes.ts";

const SECRET = "only-for-tests-0123456789-0123456789-0123456789";

/** The process that listens on this port, from /proc. */
function listenerOn(port: number): string {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((table) => readFileSync(table, "utf8").split("\n"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address = "", , state]) => address.endsWith(local) && state === "0A")
    .map((fields) => `socket:[${fields[9]}]`);
  const holds = (pid: string) => filesOf(pid).some((file) => sockets.includes(file));
  const [found] = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && holds(name));
  if (found === undefined) throw new Error(`nothing listens on ${port}`);
  return found;
}

/** The files that the process has open; empty if it has ended or belongs to another user. */
function filesOf(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  } catch {
    return [];
  }
}

describe.skipIf(process.platform !== "linux")("the running console's process", () => {
  let folder: string;
  let running: Running;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-console-"));
  });
  afterEach(async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function environmentOfConsole(change: Record<string, string>): Promise<string[]> {
    const port = await freePort();
    const env = { ...inject("env"), GATEHOUSE_DATA_DIR: folder, GATEHOUSE_ADMIN_URL: `http://localhost:${port}`, ...change };
    running = await startConsole(env, port);
    return readFileSync(`/proc/${listenerOn(port)}/environ`, "utf8").split("\0");
  }

  test.each<[string, Record<string, string>]>([
    ["given in the environment", { GATEHOUSE_SECRET: SECRET }],
    ["kept in the data directory", { GATEHOUSE_SECRET: "" }],
  ])("has its two keys only, with a secret %s", async (_, change) => {
    await writeFile(join(folder, "secret"), `${SECRET}\n`);
    const environment = await environmentOfConsole({ DATABASE_URL: `file:${join(folder, "gatehouse.db")}`, ...change });
    const names = environment.map((line) => line.split("=", 1)[0]);
    expect(names).toEqual(expect.arrayContaining(["GATEHOUSE_CONSOLE_CLIENT_SECRET", "GATEHOUSE_CONSOLE_COOKIE_KEY"]));
    for (const name of ["GATEHOUSE_SECRET", "GATEHOUSE_DATA_DIR", "DATABASE_URL"]) expect(names).not.toContain(name);
    expect(environment.join("\n")).not.toContain(SECRET);
    expect(environment.join("\n")).not.toContain(folder);
  });
});
