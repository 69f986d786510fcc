import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Measurable, sharingMint } from "../measure.ts";
import { renderPage } from "../preflight.ts";
import { BENCH, SERVER_CORE } from "../processes.ts";
import type { FromDriver, Started, ToDriver } from "./driver.ts";

export type Engine = "sqlite" | "postgres";
/** A tree whose Gatehouse is measured. */
export type Tree = { name: string; folder: string };
export type Driven = Measurable & { stop(): Promise<void> };

const SLUGS: Record<Engine, string> = { sqlite: "gatehouse", postgres: "gatehouse-postgres" };

/**
 * Starts the built Gatehouse of a tree on a fresh database, with that tree's own bench. Rejects with the reason if it
 * does not start.
 */
export async function startDriven({ name, folder }: Tree, engine: Engine): Promise<Driven> {
  const driver = join(BENCH, "against/driver.ts");
  const args = ["--import", "tsx", driver, folder, SLUGS[engine], String(SERVER_CORE)];
  const child = spawn(process.execPath, args, {
    cwd: join(folder, "bench"),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const gone = once(child, "exit");

  async function answer(): Promise<FromDriver> {
    const [message] = await Promise.race([once(child, "message"), gone.then(() => [{ problem: "its process ended" }])]);
    if ("problem" in message) throw new Error(`${name}: ${message.problem}`);
    return message;
  }
  const ask = (question: ToDriver) => child.send(question);

  const { started } = (await answer()) as { started: Started };
  const mint = sharingMint(async (kind, count) => {
    ask({ mint: kind, count });
    return ((await answer()) as { minted: string[] }).minted;
  });
  await renderPage(name, started.port, started.paths.signInPage);
  return {
    ...started,
    title: name,
    mint,
    async stop() {
      if (child.connected) ask({ stop: true });
      await gone;
    },
  };
}
