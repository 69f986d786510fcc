import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "../../harness/gatehouse.ts";
import type { Job, Measured } from "./job.ts";

const MAIN = join(import.meta.dirname, "main.ts");

/**
 * Runs a load generator in a process of its own, so that neither the test nor another generator delays it. `core`: the
 * only one that it may use, for servers that have the others.
 */
export async function generate(job: Job, { core }: { core?: number } = {}): Promise<Measured> {
  const command = [process.execPath, "--import", "tsx", MAIN];
  const [program = "", ...args] = core === undefined ? command : ["taskset", "-c", String(core), ...command];
  const child = spawn(program, args, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdin.end(JSON.stringify(job));
  const [printed, code] = await Promise.all([text(child.stdout), ended]);
  process.off("exit", killWithUs);
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(printed) as Measured;
}
