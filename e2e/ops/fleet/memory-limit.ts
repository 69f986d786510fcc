import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A group of processes that together have so much memory: what is started in it is killed beyond. Linux. */
export type MemoryLimit = {
  /** Runs what starts processes; they belong to the group for as long as they live. */
  startIn<Value>(start: () => Promise<Value>): Promise<Value>;
  /** How often the kernel had to end a process. */
  kills(): number;
  close(): void;
};

type Names = { root: string; limit: string; events: string; kills: RegExp };
const VERSIONS: readonly Names[] = [
  {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    events: "memory.oom_control",
    kills: /oom_kill (\d+)/,
  },
  { root: "/sys/fs/cgroup", limit: "memory.max", events: "memory.events", kills: /oom_kill (\d+)/ },
];

/** Undefined where this process may make no control group with a limit of memory. */
export function limitMemory(bytes: number): MemoryLimit | undefined {
  for (const { root, limit, events, kills } of VERSIONS) {
    const folder = join(root, `gatehouse-ops-${process.pid}`);
    try {
      if (!existsSync(join(root, "cgroup.procs"))) continue;
      mkdirSync(folder);
      writeFileSync(join(folder, limit), String(bytes));
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
      continue;
    }
    const move = (to: string) => writeFileSync(join(to, "cgroup.procs"), String(process.pid));
    return {
      async startIn(start) {
        move(folder);
        return start().finally(() => move(root));
      },
      kills: () => Number(kills.exec(readFileSync(join(folder, events), "utf8"))?.[1] ?? 0),
      close: () => rmdirSync(folder),
    };
  }
  return undefined;
}
