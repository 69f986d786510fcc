import type { SourceOf } from "../sources.ts";
import * as sources from "../sources.ts";
import { WORKLOADS, type Workload } from "../workloads.ts";

/** The workload that puts each hot path of apps/web/server/testing/hot-paths.ts under load. */
export const PROFILED: readonly { path: string; workload: Workload }[] = [
  { path: "client credentials", workload: named("client-credentials") },
  { path: "code exchange", workload: named("code") },
  { path: "refresh", workload: named("refresh") },
  { path: "introspection, cached", workload: named("introspection") },
  {
    path: "introspection, first",
    workload: { ...named("introspection"), slug: "introspection-first", traffic: eachOnce(sources.introspection) },
  },
  { path: "bearer, cached", workload: named("bearer") },
  { path: "bearer, first", workload: { ...named("bearer"), slug: "bearer-first", traffic: eachOnce(sources.bearer) } },
  { path: "guard, 401", workload: named("guard") },
  { path: "webhook, stored", workload: named("webhook") },
  { path: "metadata", workload: named("metadata") },
];

/** More than one second of load can use. */
const TOKENS_PER_SECOND = 90_000;

/** Each token for the first time. */
function eachOnce(source: (count: number) => SourceOf): SourceOf {
  return async (inputs) => {
    const made = await source(Math.ceil(TOKENS_PER_SECOND * inputs.seconds))(inputs);
    return made.kind === "turn" ? { ...made, kind: "each" } : made;
  };
}

function named(slug: string): Workload {
  const found = WORKLOADS.find((workload) => workload.slug === slug);
  if (!found) throw new Error(`there is no workload called ${slug}`);
  return found;
}
