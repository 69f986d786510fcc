import type { Server, ServerResponse } from "node:http";
import type { TooLarge } from "@gatehouse/runtime/headers";
import { createLimitedServer } from "@gatehouse/runtime/limited-server";
import { MAX_UNFINISHED } from "@gatehouse/runtime/unfinished";
import { load } from "../overload/load.ts";
import { everywhereHeaders } from "../routing/headers.ts";
import type { Env } from "../start/env.ts";
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from "./address.ts";
import type { Listener } from "./next-mount.ts";

const IN_JSON: TooLarge = () => ({
  body: '{"error":"invalid_request","error_description":"The request has too many headers or cookies."}',
  headers: { "Content-Type": "application/json" },
});

type Place = Pick<Env, "hosts" | "port" | "issuer" | "trustedProxies"> &
  Partial<Pick<Env, "workers" | "tls">> & {
    /** Called when the certificate was read again, or could not be. */
    onReload?: (error?: Error) => void;
    /** Called with what a request failed with, and the id of the request. */
    onError?: (error: unknown, requestId: string | undefined) => void;
  };

/** Listens on each of the addresses that this machine has. Throws one clear error when the port is in use. */
export async function listen(handle: Listener, place: Place, tooLarge: TooLarge = IN_JSON): Promise<Server[]> {
  const servers = await Promise.all(place.hosts.map((host) => listenOn(host, handle, place, tooLarge)));
  return servers.filter((server) => server !== undefined);
}

/** Resolves to undefined when this machine does not have the address; some have no IPv6. */
function listenOn(host: string, handle: Listener, place: Place, tooLarge: TooLarge): Promise<Server | undefined> {
  const { port } = place;
  const server = createServer(handle, place, tooLarge);
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

function createServer(handle: Listener, place: Place, tooLarge: TooLarge): Server {
  const { issuer, trustedProxies, workers = 1, tls, onReload = () => {}, onError = console.error } = place;
  const everywhere = everywhereHeaders(issuer);

  const leave = () => {
    load.inFlight -= 1;
  };

  function fail(error: unknown, outgoing: ServerResponse): void {
    leave();
    const requestId = outgoing.req.headers[REQUEST_ID_HEADER] as string | undefined;
    onError(error, requestId);
    if (!outgoing.headersSent)
      outgoing.writeHead(500, {
        ...everywhere,
        "Content-Type": "application/json",
        ...(requestId !== undefined && { "X-Request-Id": requestId }),
      });
    outgoing.end('{"error":"server_error"}');
  }

  return createLimitedServer(
    (incoming, outgoing) => {
      load.inFlight += 1;
      try {
        const waiting = handle(incoming, outgoing);
        if (waiting instanceof Promise) waiting.then(leave, (error: unknown) => fail(error, outgoing));
        else leave();
      } catch (error) {
        fail(error, outgoing);
      }
    },
    {
      joinDuplicateHeaders: true,
      tooLarge,
      everywhere,
      tls: tls && { files: tls, publicOrigin: issuer, onReload },
      unfinished: {
        most: Math.ceil(MAX_UNFINISHED / workers), // the workers take connections in turn
        isProxy: (address) => trustedProxies?.has(address) ?? false,
        callerOf: ({ headers }) => headers[ADDRESS_HEADER] as string | undefined,
      },
    },
  );
}
