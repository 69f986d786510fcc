import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../harness/databases.ts";
import { startWeb } from "../../harness/gatehouse.ts";
import { freePort, type Running } from "../../harness/processes.ts";
import { createDatabase } from "../../harness/run.ts";
import { SETTINGS } from "../../harness/servers.ts";
import { opsFixture, type SigningKey } from "./fixture.ts";

/** An installation with the clients and users of the load and fault tests, and one server that is started and killed. */
export type Single = {
  issuer: string;
  port: number;
  /** Where its data is: SQLite's file too. */
  folder: string;
  env: Record<string, string>;
  key: SigningKey;
  /** Starts the server, or starts it again. `more`: further environment variables. */
  start(more?: Record<string, string>): Promise<Running>;
  /** The server that was started last. */
  server(): Running;
  remove(): Promise<void>;
};

type Place = {
  /** Where its folder is made. */
  parent?: string;
  /** More users and clients. */
  more?: readonly object[];
};

/** `settings`: environment variables that differ from those of the other tests. */
export async function newSingle(
  engine: Engine,
  settings: Record<string, string> = {},
  { parent = tmpdir(), more = [] }: Place = {},
): Promise<Single> {
  const folder = await mkdtemp(join(parent, "gatehouse-ops-"));
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const { file, key } = await opsFixture();
  const DATABASE_URL = await createDatabase(engine, folder, [...more, file]);
  const env = { ...SETTINGS, GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL, ...settings };
  let running: Running | undefined;
  return {
    issuer,
    port,
    folder,
    env,
    key,
    async start(more = {}) {
      running = await startWeb({ ...env, ...more }, port);
      return running;
    },
    server() {
      if (running === undefined) throw new Error("the server was not started");
      return running;
    },
    async remove() {
      await running?.crash();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
