import { existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOKEN, terminate } from "../harness/busy-clients.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { newInstallation } from "../harness/installation.ts";

// A restart under load is in workers.test.ts, and three of each kind of server in stopping.full.test.ts.

test("OP-72 a draining server is unready at once and serves until the drain time is over; a connection that does not end in time is cut, with exit code 1, and the database is closed", async () => {
  const settings = { GATEHOUSE_DRAIN_SECONDS: "4", GATEHOUSE_STOP_SECONDS: "5" };
  const { port, issuer, env, folder, remove } = await newInstallation("sqlite", settings);
  const server = await startWeb(env, port);
  const agent = new Agent({ keepAlive: true });
  const headers = { ...TOKEN.headers, "content-length": "9" };
  const upload = request({ host: "127.0.0.1", port, path: TOKEN.path, method: "POST", agent, headers });
  const cut = new Promise((resolve) => upload.once("error", resolve));
  await new Promise<void>((resolve) => upload.write("gra", () => resolve()));
  expect((await send(issuer, "/readyz")).status).toBe(200);

  const ended = terminate(server);
  await expect.poll(async () => (await send(issuer, "/readyz")).status, { interval: 10 }).toBe(503);
  expect(json(await send(issuer, "/readyz"))).toEqual({ status: "unavailable" });
  expect((await send(issuer, "/healthz")).status).toBe(200);
  const { code, ms } = await ended;
  expect(code).toBe(1);
  expect(ms).toBeGreaterThanOrEqual(4000);
  expect(await cut).toMatchObject({ code: "ECONNRESET" });
  expect(existsSync(join(folder, "gatehouse.db-wal"))).toBe(false);
  await remove();
});
