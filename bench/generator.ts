import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Figures, Job } from "./load.ts";
import { BENCH, onLoadCore } from "./processes.ts";
import { hasWrk, runWrk } from "./wrk.ts";

/** For the report. */
export const generatorTitle = hasWrk ? "wrk" : "the generator of this repository (wrk is not installed)";

/** Puts a load on a server from the core of the load, with wrk where it is installed. */
export const runLoad = (job: Job): Promise<Figures> => (hasWrk ? runWrk(job) : runOwn(job));

async function runOwn(job: Job): Promise<Figures> {
  const [program = "", ...args] = onLoadCore([process.execPath, "--import", "tsx", "load.ts"]);
  const child = spawn(program, args, { cwd: BENCH, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(job));
  const answer = await text(child.stdout);
  if (answer === "") throw new Error("the load generator ended without figures");
  return JSON.parse(answer);
}
