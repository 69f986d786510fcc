import { readdirSync, readFileSync } from "node:fs";

export type Usage = { cpuMicros: number; rssMib: number };

/** The clock that all processes share. */
export const monotonicMicros = () => Number(process.hrtime.bigint() / 1000n);

/** Linux reports a process's CPU time in hundredths of a second. */
const TICK_MICROS = 10_000;

/** CPU time so far and current memory of a process and its descendants. Zeros without /proc. */
export function usageOf(pid: number): Usage {
  return tree(pid)
    .map(usageOfOne)
    .reduce((sum, one) => ({ cpuMicros: sum.cpuMicros + one.cpuMicros, rssMib: sum.rssMib + one.rssMib }), {
      cpuMicros: 0,
      rssMib: 0,
    });
}

function tree(pid: number): number[] {
  const children = read(`/proc/${pid}/task`, (path) => readdirSync(path)).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`, (path) => readFileSync(path, "utf8").split(" ")),
  );
  return [pid, ...children.filter((child) => child !== "").flatMap((child) => tree(Number(child)))];
}

function usageOfOne(pid: number): Usage {
  const [stat = ""] = read(`/proc/${pid}/stat`, (path) => [readFileSync(path, "latin1")]);
  // The name in parentheses can have spaces; utime and stime are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [status = ""] = read(`/proc/${pid}/status`, (path) => [readFileSync(path, "latin1")]);
  const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  return { cpuMicros: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MICROS, rssMib: kib / 1024 };
}

function read<Item>(path: string, reader: (path: string) => Item[]): Item[] {
  try {
    return reader(path);
  } catch {
    return [];
  }
}
