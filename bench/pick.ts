import { WORKLOADS, type Workload } from "./workloads.ts";

/** The workloads of a list of names, or all. Throws if there is no such workload. */
export const pickWorkloads = (named: string | undefined): readonly Workload[] => pick("workload", WORKLOADS, named);

/** The items of a comma-separated list of names, or all. Throws if one is unknown. */
export function pick<Item extends { slug: string }>(
  what: string,
  from: readonly Item[],
  named: string | undefined,
): readonly Item[] {
  if (named === undefined) return from;
  return named.split(",").map((name) => {
    const found = from.find(({ slug }) => slug === name);
    if (!found)
      throw new Error(`there is no ${what} called ${name}; there are ${from.map(({ slug }) => slug).join(", ")}`);
    return found;
  });
}
