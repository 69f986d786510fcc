import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { LOOPBACK_ADDRESSES } from "./loopback.mjs";

const LISTEN = "0A"; // the state of a listening socket in /proc/net/tcp

export async function portProblem(port) {
  for (const host of LOOPBACK_ADDRESSES) {
    const problem = await new Promise((resolve) => {
      const probe = createServer();
      probe.once("error", (error) => resolve(error.code));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
    });
    if (problem === "EADDRINUSE" || problem === "EACCES") return problem;
  }
  return undefined;
}

export function describeTaken(port) {
  const holder = holderOf(Number(port));
  return holder ? `Port ${port} is taken by process ${holder.pid} (${holder.command}).` : `Port ${port} is taken.`;
}

export function holderOf(port) {
  return process.platform === "linux" ? holderInProc(port) : holderByLsof(port);
}

function holderInProc(port) {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const sockets = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"]
      .flatMap((table) => readOr(table, "").split("\n"))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, address = "", , state]) => address.endsWith(local) && state === LISTEN)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const pid = readdirSync("/proc").find(
    (name) => /^\d+$/.test(name) && filesOf(name).some((file) => sockets.has(file)),
  );
  return (
    pid && { pid: Number(pid), command: readOr(`/proc/${pid}/cmdline`, "").split("\0").join(" ").trim().slice(0, 80) }
  );
}

/** The files that the process has open; empty if it has ended or belongs to another user. */
function filesOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readOr(`/proc/${pid}/fd/${name}`, "", readlinkSync));
  } catch {
    return [];
  }
}

function readOr(path, fallback, read = (file) => readFileSync(file, "utf8")) {
  try {
    return read(path);
  } catch {
    return fallback;
  }
}

/** macOS has lsof. Of its fields, p is the process and c the command. */
function holderByLsof(port) {
  const { stdout = "" } = spawnSync("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { encoding: "utf8" });
  const [, pid, command] = /^p(\d+)\nc(.+)$/m.exec(stdout ?? "") ?? [];
  return pid && { pid: Number(pid), command };
}
