import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gatehouse } from "@gatehouse/sdk";
import { startGatehouse } from "@gatehouse/sdk/testing";
import { ROOT } from "./gatehouse.ts";

const SECRET = "only-for-tests-0123456789-0123456789";
const CLIENT_ID = "kit-web";

/** A page of a product: HTML at `/`, a script at `/app.js`. */
export type KitPage = { html: string; script: string };

/**
 * A product on a server of the testing kit. `/me` says who is signed in. Nothing of both stays after `stop`. `asked`: how
 * often the session handler was asked.
 */
export async function startKitProduct(page: KitPage = { html: "", script: "" }) {
  const asked = { session: 0 };
  const server = createServer(async (incoming, outgoing) => {
    const response = await answer(await requestOf(incoming, url));
    outgoing.writeHead(response.status, [...response.headers].flat());
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const started = await startGatehouse({
    command: join(ROOT, "e2e/harness/server-program.mjs"),
    configuration: configurationFor(url),
  });
  const { auth, handlers } = gatehouse({
    issuer: started.issuer,
    clientId: CLIENT_ID,
    clientSecret: SECRET,
    appUrl: url,
  });

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/auth/session") asked.session += 1;
    if (pathname.startsWith("/auth/")) return handlers(request);
    if (pathname === "/me") return auth.respond(request, Response.json(await auth(request)));
    if (pathname === "/app.js") return new Response(page.script, { headers: { "content-type": "text/javascript" } });
    return new Response(page.html, { headers: { "content-type": "text/html; charset=utf-8" } });
  }
  async function stop(): Promise<void> {
    server.close();
    server.closeAllConnections();
    await started.stop();
  }
  return { url, issuer: started.issuer, applied: started.applied, asked, stop };
}

async function requestOf(incoming: IncomingMessage, url: string): Promise<Request> {
  const { method = "GET", url: path = "/" } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  const body = method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(await buffer(incoming)) };
  return new Request(new URL(path, url), { method, headers, ...body });
}

const configurationFor = (url: string) => ({
  applications: [
    {
      name: "Kit",
      environments: {
        development: {
          client_id: CLIENT_ID,
          type: "web",
          client_secret: SECRET,
          redirect_uris: [`${url}/auth/callback`],
          post_logout_redirect_uris: [`${url}/`],
          scopes: ["openid", "profile", "email", "offline_access"],
          rotate_refresh_tokens: false,
        },
      },
    },
  ],
});
