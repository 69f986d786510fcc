// A product in one process, with @gatehouse/sdk on node:http; started by sdk-product.ts:
// node --import tsx sdk-app.ts <options as JSON>

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { arrayBuffer } from "node:stream/consumers";
import { type GatehouseOptions, gatehouse } from "@gatehouse/sdk";
import type { AppOptions } from "./sdk-product.ts";

const { port, relay, ...options }: AppOptions = JSON.parse(process.argv[2] ?? "{}");
/** How far this product's clock is ahead, in seconds. */
let ahead = 0;

const all: GatehouseOptions = {
  ...options,
  now: () => Date.now() + ahead * 1000,
  // The server keeps its own address; only the connection goes through the relay.
  fetch: (input, init) => fetch(String(input).replace(options.issuer, relay), init),
};
const { auth, handlers } = gatehouse(all);

/** `/clock?ahead=…` moves the clock, as nobody can wait for tokens to expire. */
async function respond(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/clock") {
    ahead = Number(searchParams.get("ahead"));
    return new Response(null, { status: 204 });
  }
  if (pathname.startsWith("/auth/")) return handlers(request);
  if (pathname === "/") return new Response("the start page");
  const result = await auth.protect(request, pathname === "/live" ? { live: true } : {});
  if (!result.ok) return result.response;
  return auth.respond(request, Response.json({ user: result.session.user.id }));
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
  const method = incoming.method ?? "GET";
  const body = method === "GET" || method === "HEAD" ? null : await arrayBuffer(incoming);
  const request = new Request(options.appUrl + incoming.url, { method, headers, body });
  const response = await respond(request);
  const setCookies = response.headers.getSetCookie();
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(setCookies.length > 0 && { "set-cookie": setCookies }),
  });
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

createServer((incoming, outgoing) => {
  handle(incoming, outgoing).catch((error: unknown) => {
    console.error(error);
    outgoing.writeHead(500).end(String(error));
  });
}).listen(port, "localhost");
