import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

type Listed = { pid: number; args: string };

/** The children of a process, with their command lines. */
export function childrenOf(pid: number): Listed[] {
  try {
    const listed = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)], { encoding: "utf8" });
    return listed
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
      .flatMap((found) => (found ? [{ pid: Number(found[1]), args: found[2] ?? "" }] : []));
  } catch {
    return []; // ps fails if there are none
  }
}

/** The processes that serve, of a server that was started by this one: itself, if it has no workers. */
export function servingProcesses(first: number): number[] {
  const workers = childrenOf(first).filter(({ args }) => /[/ ]server\.mjs/.test(args));
  return workers.length > 0 ? workers.map(({ pid }) => pid) : [first];
}

/** Resident memory in bytes, of a process and everything that it started. Linux. */
export function residentBytes(pid: number): number {
  const own = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
  return childrenOf(pid).reduce((sum, child) => sum + residentBytes(child.pid), own);
}

/** Open files, of a process and everything that it started. Linux. */
export function openFiles(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + openFiles(child.pid), filesOf(pid));
}

function filesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0; // it has ended
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
