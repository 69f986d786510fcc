import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../harness/gatehouse.ts";
import type { Times } from "./figures.ts";

/** The procedures of the console with a million rows on both engines, measured by bench/console-lists.ts. */
export async function measureProcedures(): Promise<Record<string, Record<string, Times>>> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-procedures-"));
  const file = join(folder, "times.json");
  try {
    const args = ["--import", "tsx", "bench/console-lists.ts", `--json=${file}`];
    const bench = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    await once(bench, "exit");
    return JSON.parse(await readFile(file, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
