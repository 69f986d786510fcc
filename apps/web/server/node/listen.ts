import { createServer, type Server, type ServerResponse } from "node:http";
import { trackConnections } from "@gatehouse/runtime/drain";
import { answerUnreadable, MAX_HEADER_BYTES } from "@gatehouse/runtime/headers";
import type { Listener } from "./next-mount.ts";

/**
 * Longer than the minute for which proxies and clients keep idle connections, so that they do not write to a closed
 * one.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * How long a whole request may take to arrive, even if no handler reads its body. After it Node responds with 408 and
 * closes the connection. Handlers that read the body respond earlier (`BODY_SECONDS`), with a reason.
 */
const REQUEST_MS = 20_000;
const CHECK_REQUESTS_MS = 2_000;

/** The body and headers of the answer to a request with more headers than Node reads. */
export type TooLarge = Parameters<typeof answerUnreadable>[1];

const IN_JSON: TooLarge = () => ({
  body: '{"error":"invalid_request","error_description":"The request has too many headers or cookies."}',
  headers: { "Content-Type": "application/json" },
});

/** Listens on each of the addresses that this machine has. Throws one clear error when the port is in use. */
export async function listen(
  handle: Listener,
  hosts: readonly string[],
  port: number,
  tooLarge: TooLarge = IN_JSON,
): Promise<Server[]> {
  const servers = await Promise.all(hosts.map((host) => listenOn(handle, host, port, tooLarge)));
  return servers.filter((server) => server !== undefined);
}

function fail(error: unknown, outgoing: ServerResponse): void {
  console.error(error);
  if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "application/json" });
  outgoing.end('{"error":"server_error"}');
}

/** Resolves to undefined when this machine does not have the address; some have no IPv6. */
function listenOn(handle: Listener, host: string, port: number, tooLarge: TooLarge): Promise<Server | undefined> {
  const limits = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_REQUESTS_MS,
  };
  const server = createServer(
    { ...limits, maxHeaderSize: MAX_HEADER_BYTES, joinDuplicateHeaders: true },
    (incoming, outgoing) => {
      try {
        const waiting = handle(incoming, outgoing);
        if (waiting instanceof Promise) waiting.catch((error: unknown) => fail(error, outgoing));
      } catch (error) {
        fail(error, outgoing);
      }
    },
  );
  trackConnections(server);
  answerUnreadable(server, tooLarge);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") return resolve(undefined);
      return reject(
        error.code === "EADDRINUSE" ? new Error(`Port ${port} is in use on ${host}. Set PORT to another one.`) : error,
      );
    });
    server.listen(port, host, () => resolve(server));
  });
}
