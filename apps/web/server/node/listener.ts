import type { IncomingMessage, ServerResponse } from "node:http";
import { requestArrived } from "@gatehouse/db/cache/turn";
import { load } from "../overload/load.ts";
import { shed } from "../overload/shed.tsx";
import { refuseCookies } from "../pages/cookies/too-many.tsx";
import { guard } from "../routing/guard.ts";
import { everywhereHeaders, PAGE_HEADERS } from "../routing/headers.ts";
import { isReactPage } from "../routing/policy-lookup.ts";
import type { Method, RouteHandler } from "../routing/route.ts";
import type { FindRoute } from "../routing/routes.ts";
import type { App } from "../start/app.ts";
import { overwriteAddress } from "./address.ts";
import { type Assets, sendAsset } from "./assets.ts";
import { send } from "./convert.ts";
import { skipEmptyBody } from "./light/end-body.ts";
import { LightRequest } from "./light/request.ts";
import type { Listener, NextServer } from "./next-mount.ts";

/**
 * Calls the route modules without Next, behind the same guard as `proxy.ts`. `next` serves the React pages of the policy
 * table and the files they load; without it, those paths are not found.
 */
export function mountedListener(
  app: Pick<App, "deps" | "env" | "settings">,
  assets: Assets,
  findRoute: FindRoute,
  next?: Pick<NextServer, "listener">,
): Listener {
  const { issuer, trustedProxies } = app.env;
  const everywhere = everywhereHeaders(issuer);

  /** Once the guard has let the request through. */
  function serve(
    pathname: string,
    request: Request,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): void | Promise<void> {
    if (next && isNextFile(pathname)) return passToNext(next.listener, incoming, outgoing, everywhere);
    if (next && isReactPage(pathname)) {
      useIssuerOrigin(incoming, issuer);
      return passToNext(next.listener, incoming, outgoing, { ...everywhere, ...PAGE_HEADERS });
    }
    const { module, params } = findRoute(pathname);
    const handle = module[request.method as Method];
    skipEmptyBody(incoming);
    if (!handle) return send(new Response(null, { status: 400 }), outgoing, everywhere);
    return respond(handle, request, params, outgoing);
  }

  async function respond(
    handle: RouteHandler,
    request: Request,
    params: Record<string, string>,
    outgoing: ServerResponse,
  ): Promise<void> {
    // Node's parser calls the listener before it reads the body that came in the same packet.
    if (request.headers.get("content-length") !== null) await undefined;
    return send(await handle(request, { params }), outgoing, everywhere);
  }

  return (incoming, outgoing) => {
    requestArrived({ queued: outgoing.socket === null });
    if (!overwriteAddress(incoming.headers, incoming.socket.remoteAddress, trustedProxies))
      return void incoming.socket.destroy();
    dropAuthority(incoming);
    const pathname = pathOf(incoming);
    const asset = assets.get(pathname);
    if (asset) return void sendAsset(asset, incoming, outgoing, everywhere);

    const request = new LightRequest(incoming, issuer) as unknown as Request;
    const busy = load.inFlight > load.free ? shed(pathname, request, app) : undefined;
    const refusal = busy ?? refuseCookies(request, app) ?? guard(request);
    if (refusal === undefined) return serve(pathname, request, incoming, outgoing);
    if (refusal instanceof Promise) {
      return refusal.then((made) =>
        made ? send(made, outgoing, everywhere) : serve(pathname, request, incoming, outgoing),
      );
    }
    skipEmptyBody(incoming);
    return send(refusal, outgoing, everywhere);
  };
}

/** Nothing else below `/_next` is served: Next's image and data routes fetch other routes without the guard. */
function isNextFile(pathname: string): boolean {
  return pathname.startsWith("/_next/static/");
}

/** React pages see the issuer's origin, as handlers do (SE-02), and take the nonce from the proxy alone. */
function useIssuerOrigin({ headers }: IncomingMessage, issuer: string): void {
  const { host, protocol } = new URL(issuer);
  headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = protocol.slice(0, -1);
  delete headers["content-security-policy"];
  delete headers["content-security-policy-report-only"];
}

function passToNext(
  next: Listener,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): void | Promise<void> {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  return next(incoming, outgoing);
}

/**
 * A request target can also carry a host, which is ignored (SE-02), or be `*`. Leaves a path in `url`. RFC 9112 §3.2.
 */
function dropAuthority(incoming: IncomingMessage): void {
  const { url = "/" } = incoming;
  if (url.startsWith("/")) return;
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  incoming.url = target.startsWith("/") ? target : `/${target}`;
}

function pathOf({ url = "/" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
