import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { startBusyClients, TOKEN, terminate } from "../harness/busy-clients.ts";
import { startConsole, startWeb } from "../harness/gatehouse.ts";
import { newInstallation } from "../harness/installation.ts";
import { freePort } from "../harness/processes.ts";

/** Four starts of several processes each. */
const TIMEOUT = 120_000;

describe.each([1, 2])("with WEB_CONCURRENCY=%i", (workers) => {
  test(
    "OP-72 over three restarts no request of busy clients fails; it exits 0 in time, its database closed",
    async () => {
      const { port, env, folder, remove } = await newInstallation("sqlite", { WEB_CONCURRENCY: String(workers) });
      let server = await startWeb(env, port);
      const clients = startBusyClients(port, TOKEN);
      for (let restart = 0; restart < 3; restart++) {
        const before = clients.answered();
        await expect.poll(() => clients.answered() - before).toBeGreaterThan(50);
        const { code, ms } = await terminate(server);
        expect([code, server.output()]).toEqual([0, expect.not.stringMatching(/"level":[56]0/)]);
        expect(ms).toBeLessThan(10_000);
        expect(existsSync(join(folder, "gatehouse.db-wal"))).toBe(false);
        server = await startWeb(env, port);
      }
      await clients.end();
      await server.stop();
      await remove();
      expect(clients.failures).toEqual([]);
    },
    TIMEOUT,
  );
});

test(
  "OP-72 the console too: busy clients do not fail, nor hold it up",
  async () => {
    const port = await freePort();
    const env = { ...inject("env"), GATEHOUSE_ADMIN_URL: `http://localhost:${port}`, ADMIN_PORT: String(port) };
    let console = await startConsole(env, port);
    const clients = startBusyClients(port, { path: "/healthz" });
    for (let restart = 0; restart < 3; restart++) {
      const before = clients.answered();
      await expect.poll(() => clients.answered() - before).toBeGreaterThan(50);
      const { code, ms } = await terminate(console);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(10_000);
      console = await startConsole(env, port);
    }
    await clients.end();
    await console.stop();
    expect(clients.failures).toEqual([]);
  },
  TIMEOUT,
);
