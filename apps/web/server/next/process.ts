import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { MAX_HEADER_BYTES } from "@gatehouse/runtime/headers";
import { trustSocketAddress } from "../node/address.ts";
import { loadNext } from "../node/next.ts";
import { startApp, stopApp } from "../start/app.ts";
import { readOnThread } from "../start/read-thread.ts";
import { followReloads } from "../start/reload.ts";
import { receiveSecrets } from "../start/secrets.ts";
import { type NextMessage, say } from "./messages.ts";
import { server } from "./server.ts";

/** The server has limited the time and size of a request already, and adds a few headers. */
const LIMITS = { keepAliveTimeout: 0, requestTimeout: 0, maxHeaderSize: 2 * MAX_HEADER_BYTES };

/**
 * Makes this process the one that Next runs in, of the server that forked it: it listens on that socket, and ends with
 * the server. Signals are left to the server, which ends this process when the last response has been sent. In
 * development dev.ts forks it, and sends a message when the server has been built again.
 */
export async function serveNext(socketPath: string): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  trustSocketAddress(); // the server has set the header of the address, from its own socket
  const app = await startApp("worker", undefined, await receiveSecrets());
  app.database.deferCheckpoints(); // the server has a thread for them
  readOnThread(app);
  followReloads(app.log);
  process.on("unhandledRejection", (error) =>
    app.log.error({ err: error }, "a promise rejected, and nothing waits for it"),
  );
  if (app.env.dev) process_.gatehouseServer = server;
  const next = await loadNext(app.env, dirname(dirname(fileURLToPath(import.meta.url))));
  const end = () => {
    rmSync(dirname(socketPath), { recursive: true, force: true }); // the server may have been killed
    void stopApp().finally(() => process.exit(0));
  };
  process.once("disconnect", end);
  if (!process.connected) return end(); // the server has ended meanwhile
  const listening = createServer(LIMITS, next.listener);
  if (app.env.dev) {
    listening.on("upgrade", next.upgrade);
    process.on("message", async (message) => {
      if (message !== ("built" satisfies NextMessage)) return;
      await useNewBundle().catch((error: unknown) => app.log.error({ err: error }, FAILED));
      say("loaded");
    });
  }
  listening.listen(socketPath, () => say("listening"));
}

const FAILED = "React pages have no app: the new bundle does not start";

/** Where `development-loader.mjs` finds the server. */
const process_ = globalThis as { gatehouseServer?: typeof server };

/** React pages use the new bundle and its app from now on. The one before stays in memory. */
async function useNewBundle(): Promise<void> {
  const bundle = new URL("./next.mjs", import.meta.url);
  bundle.search = String(performance.now());
  const loaded: { server: typeof server } = await import(bundle.href);
  process_.gatehouseServer = loaded.server;
  const secrets = await receiveSecrets();
  await Promise.all([stopApp(), loaded.server.startApp("worker", undefined, secrets)]); // no request comes between
}
