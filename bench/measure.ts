import { setTimeout as pause } from "node:timers/promises";
import { startCommitting } from "./committing.ts";
import { runLoad } from "./generator.ts";
import type { Figures } from "./load.ts";
import { preflight } from "./preflight.ts";
import type { Mintable, Paths, Running } from "./subject.ts";
import type { Workload } from "./workloads.ts";

export type Duration = { warmSeconds: number; seconds: number; idleSeconds: number; manyTokens: number };
/** A started server, and what it is called in messages. */
export type Measurable = Pick<Running, "pid" | "port" | "mint"> & {
  title: string;
  paths: Paths;
  codesPerSecond: number;
};

/** Checks that the server answers as the workload expects, and measures it. Throws if a single request fails. */
export async function measure(server: Measurable, workload: Workload, lasting: Duration): Promise<Figures> {
  const { connections, status, otherCommitsPerSecond } = workload;
  const { title, pid, port, paths, mint } = server;
  const afterIdling = workload.idleSeconds !== undefined;
  const { warmSeconds, seconds } = afterIdling ? { warmSeconds: 0, seconds: Math.min(2, lasting.seconds) } : lasting;
  const codes = Math.ceil(server.codesPerSecond * (warmSeconds + seconds));
  const { manyTokens } = lasting;
  const traffic = await workload.traffic({
    paths,
    mint,
    codes,
    seconds: warmSeconds + seconds,
    connections,
    manyTokens,
  });
  await preflight(title, port, workload, traffic);
  if (afterIdling) await pause(lasting.idleSeconds * 1000);
  const stopCommitting =
    otherCommitsPerSecond === undefined ? undefined : await startCommitting(pid, otherCommitsPerSecond);
  try {
    const figures = await runLoad({ port, pid, traffic, connections, expectedStatus: status, warmSeconds, seconds });
    const errors = Object.entries(figures.errors).map(([what, times]) => `${what}, ${times} times`);
    if (errors.length > 0) throw new Error(`${title} failed under load on "${workload.title}": ${errors.join("; ")}`);
    if (figures.seconds < seconds / 2)
      throw new Error(`${title} used up the codes of "${workload.title}": raise codesPerSecond`);
    return figures;
  } finally {
    stopCommitting?.();
  }
}

/** A mint that gives the same access tokens to all workloads: 100,000 take a while. */
export function sharingMint(mint: Running["mint"]): Running["mint"] {
  const accessTokens: string[] = [];
  return async (kind: Mintable, count: number) => {
    if (kind !== "accessToken") return mint(kind, count);
    if (accessTokens.length < count)
      for (const one of await mint(kind, count - accessTokens.length)) accessTokens.push(one);
    return accessTokens.slice(0, count);
  };
}
