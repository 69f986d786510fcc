import { metrics } from "@gatehouse/runtime/metrics";
import { tracing } from "@gatehouse/runtime/tracing";

/** Counts the requests of one route, with their durations. */
export type RouteTimes = {
  route: string;
  /** `beganMs`: of `performance.now()`, when the request arrived. */
  ended(method: string, status: number, beganMs: number): void;
};

type Series = ReturnType<typeof metrics.httpDuration.series>;

export const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const LEAST_STATUS = 100;

/**
 * What the objectives are about has its series from the start: however many others strangers cause, these have a place.
 * OP-80
 */
const RESERVED: Record<string, readonly [method: string, statuses: readonly number[]]> = {
  "/token": ["POST", [200, 400, 401, 429, 503]],
  "/introspect": ["POST", [200, 401, 503]],
  "/api/webhooks/[provider]": ["POST", [200, 400, 503]],
  "/authorize": ["GET", [200, 303, 400, 503]],
  "/api/resource": ["GET", [200, 401, 503]],
  "/sign-in": ["POST", [303, 400, 429, 503]],
};

/** `route`: a path of the policy table, or `*` for what has none. OP-75 */
export function timesOf(route: string): RouteTimes {
  const byMethod = new Map<string, Series[]>();

  function seriesOf(method: string, status: number): Series {
    const known = byMethod.get(method)?.[status - LEAST_STATUS];
    if (known) return known;
    const made = metrics.httpDuration.series(route, method, String(status));
    const ofMethod = byMethod.get(method) ?? [];
    ofMethod[status - LEAST_STATUS] = made;
    byMethod.set(method, ofMethod);
    return made;
  }

  const [method, statuses] = RESERVED[route] ?? ["", []];
  for (const status of statuses) seriesOf(method, status);

  return {
    route,
    ended(sent, status, beganMs) {
      // A method can be any word. OpenTelemetry's name for others.
      const method = METHODS.has(sent) ? sent : "_OTHER";
      seriesOf(method, status).observe((performance.now() - beganMs) / 1000);
      tracing.current?.requestEnded(route, method, status);
    },
  };
}
