import { generatorTitle } from "../generator.ts";
import { table } from "../table.ts";
import { WORKLOADS } from "../workloads.ts";
import { type Compared, type Spread, verdict } from "./comparison.ts";
import type { AgainstOptions } from "./options.ts";

/** The result as a table; ratios of this tree to the other one. */
export function againstReport(
  here: string,
  there: string,
  options: AgainstOptions,
  compared: readonly Compared[],
): string {
  const { engine, rounds, seconds } = options;
  const titles = new Map(WORKLOADS.map(({ slug, title }) => [slug, title]));
  const rows = compared.map((one) => [
    titles.get(one.workload) ?? one.workload,
    shown(one.cpu),
    shown(one.rate),
    shown(one.p99),
    verdict(one),
  ]);
  return [
    `## ${here} against ${there}`,
    `${engine === "sqlite" ? "SQLite" : "PostgreSQL"}, ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${rounds} × ${seconds} s, load by ${generatorTitle}. The ratio within each round: median (minimum … maximum). Less CPU time is better, more requests a second are.`,
    table([`${here} × ${there}`, "CPU time for a request", "requests a second", "p99", ""], rows),
  ].join("\n\n");
}

const shown = ({ median, min, max }: Spread) => `${median.toFixed(2)} (${min.toFixed(2)} … ${max.toFixed(2)})`;
