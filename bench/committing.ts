import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH } from "./processes.ts";

/** Starts another process that commits to the database of the server with this pid; returns what ends it. */
export async function startCommitting(pid: number, perSecond: number): Promise<() => void> {
  const child = fork(join(BENCH, "other-commits.ts"), [databaseOf(pid), String(perSecond)], {
    execArgv: ["--import", "tsx"],
    cwd: BENCH,
  });
  const [first] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (first !== "ready") throw new Error("the process that commits to the database did not start");
  return () => child.kill();
}

/** The database of a running Gatehouse, whichever release it is. */
export function databaseOf(pid: number): string {
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  const url = variables.find((one) => one.startsWith("DATABASE_URL="))?.slice("DATABASE_URL=".length);
  if (url === undefined) throw new Error("this server has no DATABASE_URL, so nothing can be committed beside it");
  return url;
}
