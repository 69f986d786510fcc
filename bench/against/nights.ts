import { table } from "../table.ts";
import type { Compared } from "./comparison.ts";

/** A result as `--json` writes it. */
export type Night = { when: string; here: string; there: string; engine: string; compared: readonly Compared[] };

/**
 * A row for each night, the newest first, with the ratio of CPU time for each workload; then the product of all nights
 * that compare a commit with the one of the night before, since many small steps add up.
 */
export function historyTable(nights: readonly Night[]): string {
  const workloads = [...new Set(nights.flatMap(({ compared }) => compared.map(({ workload }) => workload)))];
  const ratioOf = ({ compared }: Night, workload: string) =>
    compared.find((one) => one.workload === workload)?.cpu.median;
  const rows = nights
    .toReversed()
    .map((night) => [
      `${night.when.slice(0, 10)}, ${night.here.slice(0, 10)} × ${night.there.slice(0, 10)}`,
      ...workloads.map((workload) => shown(ratioOf(night, workload))),
    ]);
  const follows = nights.every((night, at) => at === 0 || night.there === nights[at - 1]?.here);
  const products = workloads.map((workload) =>
    shown(nights.reduce((product, night) => product * (ratioOf(night, workload) ?? 1), 1)),
  );
  return table(["", ...workloads], follows && nights.length > 1 ? [...rows, ["all together", ...products]] : rows);
}

const shown = (ratio: number | undefined) => (ratio === undefined ? "–" : ratio.toFixed(2));
