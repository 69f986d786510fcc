import { startRun } from "../harness/run.ts";

/** The databases of the run. Every test starts its own servers. */
export default async function setup(): Promise<() => Promise<void>> {
  const run = await startRun(async () => {
    throw new Error("the load and fault tests share no server");
  });
  return run.close;
}
