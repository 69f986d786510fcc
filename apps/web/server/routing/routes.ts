import { type RouteTimes, timesOf } from "../ops/route-times.ts";
import { compareSpecificity, patternOf } from "./pattern.ts";
import { HANDLER_PATHS, type HandlerPath } from "./policy-table.ts";
import type { Method, RouteHandler } from "./route.ts";
import { trailingSlash } from "./trailing-slash.ts";

/** What a `route.ts` exports: one handler per method. */
export type RouteModule = Record<Method, RouteHandler>;
type Match = { module: RouteModule; params: Record<string, string>; times: RouteTimes };

/** Finds the route of a path as sent. A path without a route gets the one that answers 404. */
export type FindRoute = (pathname: string) => Match;

const NOT_FOUND = "/[...notFound]" satisfies HandlerPath;

/**
 * Loads the route module of every handler in the policy table. Next mounts the same modules; our own server calls them
 * without Next's pipeline (docs/decisions/0013-custom-server.md). Throws when one cannot be loaded.
 */
export async function loadRoutes(): Promise<FindRoute> {
  const routes = await Promise.all(HANDLER_PATHS.map(async (path) => [path, await loadRoute(path)] as const));
  return matchRoutes(Object.fromEntries(routes) as Record<HandlerPath, RouteModule>);
}

/** The route module of one handler. Throws when it cannot be loaded. */
export async function loadRoute(path: HandlerPath): Promise<RouteModule> {
  const folder = path === "/" ? "" : `${path.slice(1)}/`;
  try {
    // esbuild bundles every file that matches this pattern, so nobody has to keep a list of them.
    return await import(`../../app/${folder}route.ts`);
  } catch (cause) {
    throw new Error(`The policy table names ${path}, but app/${folder}route.ts cannot be loaded.`, { cause });
  }
}

/** Matches as Next does: fixed paths before patterns, and the most specific pattern first. */
export function matchRoutes(routes: Record<string, RouteModule> & Record<typeof NOT_FOUND, RouteModule>): FindRoute {
  const notFound: Match = { module: routes[NOT_FOUND], params: {}, times: timesOf("*") };
  const fixed = new Map<string, Match>();
  const patterns: { pattern: RegExp; module: RouteModule; times: RouteTimes }[] = [];
  for (const path of Object.keys(routes).toSorted(compareSpecificity)) {
    const module = routes[path];
    if (module === undefined || path === NOT_FOUND) continue;
    if (path.includes("[")) patterns.push({ pattern: patternOf(path), module, times: timesOf(path) });
    else fixed.set(path, { module, params: {}, times: timesOf(path) });
  }

  function findByPattern(sent: string): Match {
    const slash = trailingSlash(sent);
    if (slash.kind === "not_found") return notFound;
    const pathname = slash.kind === "alias" ? slash.pathname : sent;
    if (pathname.includes("%")) {
      const match = fixed.get(decodeURIComponent(pathname)); // the guard has rejected paths that do not decode
      if (match) return match;
    }
    for (const { pattern, module, times } of patterns) {
      const match = pattern.exec(pathname);
      if (match) return { module, params: decodeParams(match.groups ?? {}), times };
    }
    return notFound;
  }

  return (pathname) => fixed.get(pathname) ?? findByPattern(pathname);
}

/** Optional segments that were not sent are left out. */
function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name in groups) {
    const value = groups[name];
    if (value !== undefined) params[name] = value.includes("%") ? decodeURIComponent(value) : value;
  }
  return params;
}
