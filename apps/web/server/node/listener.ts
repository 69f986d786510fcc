import type { IncomingMessage, ServerResponse } from "node:http";
import { malformedPath, normalisePath } from "@gatehouse/auth";
import { gate } from "../routing/guard.ts";
import { everywhereHeaders, PAGE_HEADERS } from "../routing/headers.ts";
import { policyAt } from "../routing/policy.ts";
import type { Method } from "../routing/route.ts";
import { findRoute } from "../routing/routes.ts";
import type { App } from "../start/app.ts";
import { settleAddress } from "./address.ts";
import { type Assets, sendAsset } from "./assets.ts";
import { send } from "./convert.ts";
import { LightRequest } from "./light/request.ts";
import type { Framework } from "./next.ts";

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/**
 * Production: our routes without Next in between, the same guard in front of them as in `proxy.ts`. Next gets the React
 * pages of the policy table and the files they load. Where there are none it is not even loaded, and its paths are nowhere.
 */
export function mountedListener(app: Pick<App, "env">, assets: Assets, framework?: Pick<Framework, "listener">): Listener {
  const { issuer, trustProxy } = app.env;
  const everywhere = everywhereHeaders(issuer);

  return async (incoming, outgoing) => {
    if (!settleAddress(incoming.headers, incoming.socket.remoteAddress, trustProxy)) return void incoming.socket.destroy();
    settleTarget(incoming);
    const pathname = pathOf(incoming);
    const asset = assets.get(pathname);
    if (asset) return void sendAsset(asset, incoming, outgoing, everywhere);

    const request = new LightRequest(incoming, issuer) as unknown as Request;
    const refusal = await gate(request);
    if (refusal) return send(refusal, outgoing, everywhere);

    if (framework && isNextFile(pathname)) return handOver(framework.listener, incoming, outgoing, everywhere);
    if (framework && policyAt(pathname)?.audience === "react") {
      nameIssuer(incoming, issuer);
      return handOver(framework.listener, incoming, outgoing, { ...everywhere, ...PAGE_HEADERS });
    }
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
    if (!settleAddress(incoming.headers, incoming.socket.remoteAddress, app.env.trustProxy)) return void incoming.socket.destroy();
    settleTarget(incoming);
    if (normalisePath(pathOf(incoming)) === undefined) return send(malformedPath(), outgoing, everywhere);
    return handOver(framework, incoming, outgoing, everywhere);
  };
}

/** What React pages load. Nothing else below `/_next` is served: its image and data routes fetch other routes by themselves. */
function isNextFile(pathname: string): boolean {
  return pathname.startsWith("/_next/static/");
}

/** React pages see the issuer's host, as handlers do (SE-02), and no nonce but the proxy's. */
function nameIssuer({ headers }: IncomingMessage, issuer: string): void {
  const { host, protocol } = new URL(issuer);
  headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = protocol.slice(0, -1);
  delete headers["content-security-policy"];
  delete headers["content-security-policy-report-only"];
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
