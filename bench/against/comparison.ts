import type { Figures } from "../load.ts";
import { median } from "../statistics.ts";

/** One round of one workload, on both trees. */
export type Pair = { workload: string; here: Figures; there: Figures };
export type Spread = { median: number; min: number; max: number };
export type Compared = { workload: string; rate: Spread; cpu: Spread; p99: Spread; rounds: number };

/** By workload, what this tree does as a multiple of the other one: each ratio is taken within a round. */
export function compare(pairs: readonly Pair[]): Compared[] {
  const workloads = [...new Set(pairs.map(({ workload }) => workload))];
  return workloads.map((workload) => {
    const own = pairs.filter((pair) => pair.workload === workload);
    const ratio = (of: (figures: Figures) => number) => spreadOf(own.map(({ here, there }) => of(here) / of(there)));
    return {
      workload,
      rate: ratio(({ requests, seconds }) => requests / seconds),
      cpu: ratio(({ cpuMicros }) => cpuMicros),
      p99: ratio(({ p99Ms }) => p99Ms),
      rounds: own.length,
    };
  });
}

function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** More than this much CPU in the median, with every round on one side of 1, is a change and not noise. */
const NOTABLE = 0.03;

/** Fewer rounds say nothing. */
const ENOUGH_ROUNDS = 3;

/** What the rounds say of a workload's CPU time: faster, slower, or neither. */
export function verdict({ cpu, rounds }: Pick<Compared, "cpu" | "rounds">): "faster" | "slower" | "" {
  if (rounds < ENOUGH_ROUNDS) return "";
  if (cpu.max < 1 && cpu.median < 1 - NOTABLE) return "faster";
  if (cpu.min > 1 && cpu.median > 1 + NOTABLE) return "slower";
  return "";
}
