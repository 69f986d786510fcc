import {
  createGuard,
  createRouteMatcher,
  defaultDeny,
  type GuardPreset,
  protectCallback,
  STATIC_ASSETS,
} from "@gatehouse/guard/routes";
import { type NextRequest, NextResponse } from "next/server";
import { withCookies } from "../cookies/response.ts";
import type { Core } from "../core.ts";
import { GatehouseError } from "../error.ts";
import type { Session } from "../session/session.ts";
import { goesOn, proceed } from "./proceed.ts";
import { refuseVisit } from "./refuse-visit.ts";
import { type ProxyAuth, Refused, type Visit, visitFor } from "./visit.ts";

/**
 * Decides about one request. A response ends it, or is the one that goes on, such as that of another proxy. `path` is
 * normalised, without the base path.
 */
export type ProxyCallback = (
  auth: ProxyAuth,
  request: NextRequest,
  path: string,
) => Response | undefined | Promise<Response | undefined>;

/**
 * Which routes need a session: all but the public ones, or only some, or what a callback says. Patterns as of
 * `createRouteMatcher`, without the base path.
 */
export type ProxyShape = { public: readonly string[] } | { protect: readonly string[] } | ProxyCallback;

/** The default export of the product's proxy, which Next 15 calls middleware. */
export type NextProxy = (request: NextRequest) => Promise<Response>;

/**
 * The proxy: a convenience in front of pages, handlers and Actions, which check again. It renews sessions, since
 * pages cannot set cookies. The product's matcher leaves out the files of the build alone. PK-39, PK-40.
 */
export function createProxy(core: Core, shape: ProxyShape, { handlers }: { handlers: string }): NextProxy {
  const preset = presetOf(shape);
  const ofHandlers = `${handlers}(.*)`;
  const isHandler = createRouteMatcher([ofHandlers]);
  const visits = new WeakMap<object, Visit>();
  const visitOf = (request: object) => visits.get(request) as Visit; // set before the guard runs
  const guard = createGuard<Session>(
    (auth, request, path) =>
      typeof shape === "function" ? decide(shape, visitOf(request), path) : preset.callback(auth, request, path),
    { readSession: (request) => visitOf(request).auth.protect(), skip: [...STATIC_ASSETS, ofHandlers] },
  );

  return async (request) => {
    const visit = visitFor(core, request);
    visits.set(visit.guarded, visit);
    try {
      const decided = await guard(visit.guarded);
      if (decided && !goesOn(decided)) return withCookies(decided, visit.setCookies());
      if (isHandler(visit.guarded)) return NextResponse.next(); // they set their own cookies
      await visit.auth(); // renews the session for a public page that reads it
      return proceed(visit, decided);
    } catch (thrown) {
      if (thrown instanceof Refused) return refuseVisit(core, visit, thrown.refusal);
      throw thrown;
    }
  };
}

async function decide(callback: ProxyCallback, { auth, request }: Visit, path: string): Promise<Response | undefined> {
  return (await callback(auth, request, path)) ?? undefined;
}

function presetOf(shape: ProxyShape): GuardPreset<Session> {
  if (typeof shape === "function") return { callback: () => undefined };
  const given = Object.keys(Object(shape)); // of a caller without types, anything
  if (given.length === 1 && "public" in shape) return defaultDeny(shape.public);
  if (given.length === 1 && "protect" in shape) return protectCallback(shape.protect);
  throw new GatehouseError(
    "configuration",
    'proxy() takes exactly one of { public: ["/", …] }, { protect: ["/account(.*)", …] } or a callback.',
  );
}
