import type { IncomingMessage, ServerResponse } from "node:http";
import { malformedPath, normalisePath } from "@gatehouse/auth";
import { settleAddress } from "./address.ts";
import { type Assets, sendAsset } from "./assets.ts";
import type { App } from "./deps.ts";
import type { Framework } from "./framework.ts";
import { gate } from "./gate.ts";
import { everywhereHeaders } from "./headers.ts";
import { LightRequest } from "./light/request.ts";
import { send } from "./node.ts";
import type { Method } from "./route.ts";
import { findRoute } from "./routes.ts";

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/**
 * Production: our routes without the framework in between, the same guard in front of them as `proxy.ts` is. The framework
 * gets the pages that only it can render; where there are none it is not even loaded, and its own paths are nowhere.
 */
export function mountedListener(app: Pick<App, "env">, assets: Assets, framework?: Pick<Framework, "listener" | "serves">): Listener {
  const { issuer, trustProxy } = app.env;
  const everywhere = everywhereHeaders(issuer);

  return async (incoming, outgoing) => {
    settleAddress(incoming.headers, incoming.socket.remoteAddress, trustProxy);
    settleTarget(incoming);
    const pathname = pathOf(incoming);
    const asset = assets.get(pathname);
    if (asset) return void sendAsset(asset, incoming, outgoing, everywhere);

    const request = new LightRequest(incoming, issuer) as unknown as Request;
    const refusal = await gate(request);
    if (refusal) return send(refusal, outgoing, everywhere);

    if (framework?.serves(pathname)) return handOver(framework.listener, incoming, outgoing, everywhere);
    const { module, params } = findRoute(pathname);
    const handle = module[request.method as Method];
    const response = handle ? await handle(request, { params }) : new Response(null, { status: 400 });
    return send(response, outgoing, everywhere);
  };
}

/** Development: the framework serves every route, so that each is loaded anew when it changes. */
export function developmentListener(app: App, framework: Listener): Listener {
  const everywhere = everywhereHeaders(app.env.issuer);
  return (incoming, outgoing) => {
    settleAddress(incoming.headers, incoming.socket.remoteAddress, app.env.trustProxy);
    settleTarget(incoming);
    if (normalisePath(pathOf(incoming)) === undefined) return send(malformedPath(), outgoing, everywhere);
    return handOver(framework, incoming, outgoing, everywhere);
  };
}

function handOver(framework: Listener, incoming: IncomingMessage, outgoing: ServerResponse, everywhere: Record<string, string>) {
  for (const [name, value] of Object.entries(everywhere)) outgoing.setHeader(name, value);
  return framework(incoming, outgoing);
}

/** A request line may name a host as well, which decides nothing here (SE-02), or be `*`, which is no path. RFC 9112 §3.2. */
function settleTarget(incoming: IncomingMessage): void {
  const { url = "/" } = incoming;
  if (url.startsWith("/")) return;
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  incoming.url = target.startsWith("/") ? target : `/${target}`;
}

function pathOf({ url = "/" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
