import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { malformedPath, normalisePath } from "@gatehouse/auth";
import next from "next";
import { settleAddress, vouchForAddresses } from "./server/address.ts";
import { type App, startApp } from "./server/deps.ts";
import { gate, trailingSlash } from "./server/gate.ts";
import { everywhereHeaders } from "./server/headers.ts";
import { type HotRoutes, loadHotRoutes } from "./server/hot.ts";
import { send, toRequest } from "./server/node.ts";
import { notFound } from "./server/respond.tsx";

const STOP_WITHIN_MS = 8_000;
/** Longer than the minute for which proxies and clients keep an idle connection, so that they never write into a closed one. */
const KEEP_ALIVE_MS = 75_000;

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Starts the web server: our routes on a plain Node server, and Next for everything else. Ends the process when it cannot. */
async function main(): Promise<void> {
  vouchForAddresses();
  const app = await startApp();
  const { env } = app;
  const [host = "127.0.0.1"] = env.hosts;
  const framework = next({ dev: env.dev, dir: import.meta.dirname, hostname: host, port: env.port });
  await framework.prepare();

  // While developing, the framework serves every route, so that each is loaded anew when it changes.
  const hot: HotRoutes = env.dev ? () => undefined : await loadHotRoutes();
  const handle = listener(app, hot, framework.getRequestHandler());
  const servers = await Promise.all(env.hosts.map((address) => listen(handle, address, env.port)));
  const listening = servers.filter((server) => server !== undefined);
  if (env.dev) for (const server of listening) server.on("upgrade", framework.getUpgradeHandler());

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void stop(listening, app));
  }
  app.log.info({ issuer: env.issuer, port: env.port }, "listening");
}

function listener(app: App, hot: HotRoutes, framework: Listener): Listener {
  const everywhere = Object.entries(everywhereHeaders(app.env.issuer));
  return async (incoming, outgoing) => {
    for (const [name, value] of everywhere) outgoing.setHeader(name, value);
    settleAddress(incoming.headers, incoming.socket.remoteAddress, app.env.trustProxy);
    const [pathname = ""] = (incoming.url ?? "").split("?", 1);
    if (normalisePath(pathname) === undefined) return send(malformedPath(), outgoing);

    const route = hot(incoming.method ?? "GET", pathname);
    if (route) return send(await route(toRequest(incoming, app.env.issuer)), outgoing);
    // The framework would redirect `//token` to `/token`, and a client would post its secret twice (NX-03).
    if (pathname.includes("//") || trailingSlash(pathname).kind === "elsewhere") {
      const request = toRequest(incoming, app.env.issuer);
      return send((await gate(request)) ?? notFound(request), outgoing);
    }
    return framework(incoming, outgoing);
  };
}

/** Undefined where this machine has no such address, as some have no IPv6. */
function listen(handle: Listener, host: string, port: number): Promise<Server | undefined> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) => {
      console.error(error);
      if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "application/json" });
      outgoing.end('{"error":"server_error"}');
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") return resolve(undefined);
      return reject(error.code === "EADDRINUSE" ? new Error(`PORT ${port} is taken on ${host}. Set PORT to another one.`) : error);
    });
    server.listen(port, host, () => resolve(server));
  });
}

/** Lets requests that are under way finish, then closes the database. */
async function stop(servers: readonly Server[], app: App): Promise<void> {
  const late = setTimeout(() => process.exit(1), STOP_WITHIN_MS);
  late.unref();
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      return closed;
    }),
  );
  await app.close();
  process.exit(0);
}

await main().catch((error: unknown) => {
  console.error(`Gatehouse cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
