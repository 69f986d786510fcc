// Starts Gatehouse as the bench of one tree does, and mints with that tree's code: tables and their rows differ between
// commits.
//   node --import tsx driver.ts <tree> <slug of the subject> <core>
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mintable, Paths, Subject } from "../subject.ts";

/** What the driver sends: once what it started, then an answer to each request. */
export type Started = { pid: number; port: number; paths: Paths; codesPerSecond: number };
export type FromDriver = { started: Started } | { minted: string[] } | { problem: string };
export type ToDriver = { mint: Mintable; count: number } | { stop: true };

const [tree = "", slug = "", core = "0"] = process.argv.slice(2);
const tell = (message: FromDriver) => process.send?.(message);
const problem = (cause: unknown) => tell({ problem: cause instanceof Error ? cause.message : String(cause) });

// Starting stops the server when this process ends; Ctrl-C reaches this process too, and the bench closes the channel.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});

try {
  const subjects: Record<string, Subject> = await import(pathToFileURL(join(tree, "bench/subjects/gatehouse.ts")).href);
  const subject = Object.values(subjects).find((one) => one.slug === slug);
  if (!subject) throw new Error(`this commit has no subject ${slug}`);
  const running = await subject.start(Number(core));
  const stop = async () => {
    await running.stop().catch(problem);
    process.exit(0);
  };
  process.once("disconnect", stop);
  process.on("message", async (asked: ToDriver) => {
    if ("stop" in asked) return stop();
    await running.mint(asked.mint, asked.count).then((minted) => tell({ minted }), problem);
  });
  if (!process.connected) await stop();
  const { pid, port } = running;
  tell({ started: { pid, port, paths: subject.paths, codesPerSecond: subject.codesPerSecond } });
} catch (cause) {
  problem(cause);
  process.exitCode = 1;
  process.disconnect?.();
}
