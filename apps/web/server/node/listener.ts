import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { currentTurn, requestArrived } from "@gatehouse/db/cache/turn";
import { tracing } from "@gatehouse/runtime/tracing";
import { METHODS, type RouteTimes, timesOf } from "../ops/route-times.ts";
import { load } from "../overload/load.ts";
import { shed } from "../overload/shed.tsx";
import { refuseCookies } from "../pages/cookies/too-many.tsx";
import { guard } from "../routing/guard.ts";
import { everywhereHeaders, PAGE_HEADERS } from "../routing/headers.ts";
import { isReactPage } from "../routing/policy-lookup.ts";
import { requestLine } from "../routing/request-line.ts";
import type { Method, RouteHandler } from "../routing/route.ts";
import type { FindRoute } from "../routing/routes.ts";
import type { App } from "../start/app.ts";
import { overwriteClaims, REQUEST_ID_HEADER, traceIdOf } from "./address.ts";
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
  app: Pick<App, "deps" | "env" | "settings" | "log">,
  assets: Assets,
  findRoute: FindRoute,
  next?: Pick<NextServer, "listener">,
): Listener {
  const { issuer, trustedProxies } = app.env;
  const everywhere = everywhereHeaders(issuer);

  const elsewhere = timesOf("*");
  /** Of a request that the guard answers. It also rejects paths that do not decode, which no route has. */
  const timesAt = rememberPaths((pathname) => (pathname.includes("%") ? elsewhere : findRoute(pathname).times));

  /** Of a request without a handler, which logs its own. OP-77 */
  function logLine(route: string, { method, headers }: Request, status: number, beganMs: number): void {
    if (!app.log.isLevelEnabled("debug")) return;
    const ids = { requestId: headers.get(REQUEST_ID_HEADER) ?? undefined, traceId: traceIdOf(headers, trustedProxies) };
    const line = { route, method, status, ms: Math.round(performance.now() - beganMs), ...ids };
    app.log.debug(requestLine(line, { refusal: undefined, deliveryId: null }, app.env.adminUrl), "request");
  }

  /** Once the guard has let the request through. */
  function serve(
    pathname: string,
    request: Request,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    beganMs: number,
  ): void | Promise<void> {
    if (next && isNextFile(pathname)) return passToNext(next.listener, incoming, outgoing, everywhere);
    if (next && isReactPage(pathname)) {
      useIssuerOrigin(incoming, issuer);
      const ended = () => {
        elsewhere.ended(request.method, outgoing.statusCode, beganMs);
        logLine(elsewhere.route, request, outgoing.statusCode, beganMs);
      };
      outgoing.once("close", tracing.current ? AsyncResource.bind(ended) : ended);
      return passToNext(next.listener, incoming, outgoing, { ...everywhere, ...PAGE_HEADERS });
    }
    const match = findRoute(pathname);
    const handle = match.module[request.method as Method];
    skipEmptyBody(incoming);
    if (!handle) return answer(new Response(null, { status: 400 }), match.times, request, outgoing, beganMs);
    return respond(handle, match, request, outgoing, beganMs);
  }

  async function respond(
    handle: RouteHandler,
    { params, times }: ReturnType<FindRoute>,
    request: Request,
    outgoing: ServerResponse,
    beganMs: number,
  ): Promise<void> {
    // Node's parser calls the listener before it reads the body that came in the same packet.
    if (request.headers.get("content-length") !== null) await undefined;
    let response: Response;
    try {
      response = await handle(request, { params });
    } catch (error) {
      times.ended(request.method, 500, beganMs);
      throw error;
    }
    return answer(response, times, request, outgoing, beganMs);
  }

  function answer(
    response: Response,
    times: RouteTimes,
    { method }: Request,
    outgoing: ServerResponse,
    beganMs: number,
  ): void | Promise<void> {
    times.ended(method, response.status, beganMs);
    return send(response, outgoing, everywhere);
  }

  /** Answers in front of the handlers. */
  function refuse(
    response: Response,
    times: RouteTimes,
    request: Request,
    outgoing: ServerResponse,
    beganMs: number,
  ): void | Promise<void> {
    logLine(times.route, request, response.status, beganMs);
    return answer(response, times, request, outgoing, beganMs);
  }

  /** The guard, then the handler. */
  function handle(
    pathname: string,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    beganMs: number,
  ): void | Promise<void> {
    const request = new LightRequest(incoming, issuer) as unknown as Request;
    const busy = load.inFlight > load.free ? shed(pathname, request, app) : undefined;
    const refusal = busy ?? refuseCookies(request, app) ?? guard(request);
    if (refusal === undefined) return serve(pathname, request, incoming, outgoing, beganMs);
    if (refusal instanceof Promise) {
      return refusal.then((made) =>
        made
          ? refuse(made, timesAt(pathname), request, outgoing, beganMs)
          : serve(pathname, request, incoming, outgoing, beganMs),
      );
    }
    skipEmptyBody(incoming);
    return refuse(refusal, timesAt(pathname), request, outgoing, beganMs);
  }

  return (incoming, outgoing) => {
    const beganMs = performance.now();
    if (!currentTurn.isOpen) load.turnBeganMs = beganMs;
    requestArrived({ queued: outgoing.socket === null });
    if (!overwriteClaims(incoming.headers, incoming.socket.remoteAddress, trustedProxies))
      return void incoming.socket.destroy();
    dropAuthority(incoming);
    const pathname = pathOf(incoming);
    const asset = assets.get(pathname);
    if (asset) return void sendAsset(asset, incoming, outgoing, everywhere);
    if (!tracing.current) return handle(pathname, incoming, outgoing, beganMs);
    const traced = { method: methodOf(incoming), headers: incoming.headers, beganMs };
    return tracing.current.request(traced, () => handle(pathname, incoming, outgoing, beganMs));
  };
}

const MOST_PATHS = 200;
const LONGEST_PATH = 200;

/** Matching a pattern would cost the guard, which does little else, a twentieth of its time. */
function rememberPaths<Found>(find: (pathname: string) => Found): (pathname: string) => Found {
  const found = new Map<string, Found>();
  return (pathname) => {
    const known = found.get(pathname);
    if (known !== undefined) return known;
    const value = find(pathname);
    if (found.size >= MOST_PATHS) found.clear(); // callers can send any number of paths
    if (pathname.length <= LONGEST_PATH) found.set(pathname, value);
    return value;
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
  outgoing.setHeader("X-Request-Id", requestIdIn(incoming));
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

/** A method can be any word. OpenTelemetry's name for others. */
const methodOf = ({ method = "GET" }: IncomingMessage) => (METHODS.has(method) ? method : "_OTHER");

const requestIdIn = ({ headers }: IncomingMessage) => headers[REQUEST_ID_HEADER] as string;

function pathOf({ url = "/" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
