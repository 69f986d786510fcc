import { execFileSync } from "node:child_process";

/** The resident memory of a process and its children, which share its group, in MB. */
export function residentMemory(group: number): number {
  const processes = execFileSync("ps", ["-A", "-o", "pgid=,rss="], { encoding: "utf8" }).trim().split("\n");
  const own = processes.map((line) => line.trim().split(/\s+/).map(Number)).filter(([pgid]) => pgid === group);
  return own.reduce((sum, [, kilobytes = 0]) => sum + kilobytes, 0) / 1024;
}
