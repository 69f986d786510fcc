// A product in one process, with @gatehouse/sdk on node:http; started by sdk-process.ts:
// node --import tsx sdk-app.ts <options as JSON>

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { arrayBuffer } from "node:stream/consumers";
import { gatehouse } from "@gatehouse/sdk";
import { optionsOfProcess } from "./sdk-options.ts";

const { port, appUrl, options } = optionsOfProcess();
const { auth, handlers } = gatehouse(options);

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
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
  const request = new Request(appUrl + incoming.url, { method, headers, body });
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
