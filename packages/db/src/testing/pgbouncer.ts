import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./ports.ts";
import type { Pooler } from "./transaction-pooler.ts";

const PROGRAM = "pgbouncer";
const NOBODY = 65534; // it refuses to run as root
const env = { ...process.env, PATH: [process.env["PATH"], "/usr/sbin"].join(delimiter) };

/** PgBouncer's version; undefined where it is not installed. */
export const pgBouncerVersion: string | undefined = /^PgBouncer (\S+)/.exec(
  spawnSync(PROGRAM, ["--version"], { env, encoding: "utf8" }).stdout ?? "",
)?.[1];

/**
 * Starts PgBouncer as its package has it, in front of the server of `url`. Rejects with its log if it does not start.
 */
export async function startPgBouncer(
  url: string,
  {
    mode = "transaction",
    size = 3,
    settings = "",
  }: { mode?: "session" | "transaction" | "statement"; size?: number; settings?: string } = {},
): Promise<Pooler> {
  const { hostname, port, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  const own = await freePort();
  const server = `host=${hostname} port=${port} user=${username}${password ? ` password=${password}` : ""}`;
  writeFileSync(
    file,
    `[databases]\n* = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any
pool_mode = ${mode}\ndefault_pool_size = ${size}\nmax_client_conn = 200\n${settings}\n`,
  );
  chmodSync(folder, 0o755);
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, [file], { env, stdio: ["ignore", "ignore", "pipe"], ...asNobody });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  await ready(child);
  return {
    url: Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(own), search: "" }).href,
    async stop() {
      process.off("exit", kill);
      if (child.exitCode === null && child.kill("SIGQUIT")) await once(child, "exit"); // at once
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (log.includes("process up")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(log)));
  });
}
