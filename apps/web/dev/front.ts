import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { addressBehind, type TrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import { copyHead, responseTo } from "../server/node/forward.ts";
import type { Listener } from "../server/node/next-mount.ts";
import type { createReloading } from "./reloading.ts";

/** Next's connection for hot reload, and what its error overlay asks for. */
const HOT_RELOAD_PATH = "/_next/hmr";
const OF_NEXT = ["/_next/static/", "/__nextjs"];

/** Where to pass requests. Each resolves when it serves, and rejects if it cannot start. */
type Backs = { server(): Promise<RequestOptions>; next(): Promise<RequestOptions> };
type Front = {
  listener: Listener;
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/**
 * What listens in development: passes requests to the server, which can start again meanwhile, or to Next. Pages get the
 * script that makes them load again.
 */
export function createFront(
  { issuer, trustedProxies }: { issuer: string; trustedProxies: TrustedProxies | undefined },
  { server, next }: Backs,
  reloading: ReturnType<typeof createReloading>,
): Front {
  const { origin } = new URL(issuer);

  async function listener(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [pathname = "/"] = (incoming.url ?? "/").split("?");
    if (reloading.answer(pathname, outgoing)) return;
    nameCaller(incoming, trustedProxies);
    delete incoming.headers["accept-encoding"]; // a page gets a script at its end
    const back = OF_NEXT.some((start) => pathname.startsWith(start)) ? next : server;
    try {
      const ask = async () => responseTo(incoming, outgoing, await back());
      const repeatable = incoming.method === "GET" || incoming.method === "HEAD"; // by the server that starts meanwhile
      await answer(await (repeatable ? ask().catch(ask) : ask()), outgoing);
    } catch (error) {
      if (outgoing.destroyed) return;
      if (outgoing.headersSent) return void outgoing.destroy();
      outgoing.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "1" });
      outgoing.end(`The server does not answer (${error instanceof Error ? error.message : error}).\n`);
    }
  }

  async function answer(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const page = reloading.pageWithScript(response.headers);
    copyHead(response, outgoing);
    if (!page) return pipeline(response, outgoing);
    outgoing.setHeader("content-security-policy", page.policy);
    outgoing.removeHeader("content-length");
    await pipeline(response, outgoing, { end: false });
    outgoing.end(page.end);
  }

  return {
    listener,
    /** Anything but hot reload from a page of this server is closed. Other sites must not see what is compiled. */
    upgrade(incoming, socket, head) {
      socket.on("error", () => socket.destroy());
      if (!incoming.url?.startsWith(HOT_RELOAD_PATH) || incoming.headers.origin !== origin)
        return void socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      next().then(
        (to) => upgrade(incoming, socket, head, to),
        () => socket.destroy(),
      );
    },
  };
}

/** The server takes the caller's address from this proxy. A caller cannot name another one. */
function nameCaller({ headers, socket }: IncomingMessage, proxies: TrustedProxies | undefined): void {
  const { address, isProxied } = addressBehind(proxies, socket.remoteAddress, headers["x-forwarded-for"]);
  headers["x-forwarded-for"] = address;
  if (!isProxied) delete headers["x-request-id"];
}

/** Next itself allows localhost alone. The origin has been compared with the issuer's, wherever that is. */
function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, to: RequestOptions): void {
  const asked = request({ ...to, path: incoming.url, headers: { ...incoming.headers, origin: "http://localhost" } });
  asked.once("upgrade", ({ rawHeaders }, other, first) => {
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}\r\n`] : []));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
    socket.write(first);
    other.write(head);
    pipeline(socket, other, socket).catch(() => {});
  });
  asked.once("response", () => socket.destroy());
  asked.once("error", () => socket.destroy());
  socket.once("close", () => asked.destroy());
  asked.end();
}
