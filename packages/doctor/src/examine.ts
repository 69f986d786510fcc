import type { EndpointTarget, SiteContext, Verdict } from "./check.ts";
import { ENDPOINT_CHECKS } from "./checks/endpoint.ts";
import { SITE_CHECKS } from "./checks/site.ts";
import { type Send, sendTo } from "./request.ts";

/** The result of one check. `endpoint` is null for those of the whole server. */
export type Finding = Verdict & { check: string; title: string; endpoint: string | null };

type Options = {
  /** The public origin to examine, such as `https://gate.example`. */
  origin: string;
  endpoints: readonly EndpointTarget[];
  /** Unix seconds. */
  now: () => number;
  /** How long each request may take. */
  timeoutMs?: number;
};

/**
 * Examines the server at `origin` from the outside, one request at a time, and yields each finding as it is made. Ends after the first
 * finding if nothing answers there.
 */
export async function* examine({ origin, endpoints, now, timeoutMs }: Options): AsyncGenerator<Finding> {
  const send = sendTo(origin, timeoutMs);
  const site: SiteContext = { origin, send, now };
  for (const { id, title, run } of SITE_CHECKS) {
    const verdict = await run(site);
    yield { check: id, title, endpoint: null, ...verdict };
    if (id === "health" && verdict.seen.startsWith("no answer")) return;
  }
  const sendPlain = plainOf(origin, timeoutMs);
  for (const endpoint of endpoints) {
    for (const { id, title, run } of ENDPOINT_CHECKS) {
      const verdict = await run({ ...site, endpoint, ...(sendPlain && { sendPlain }) });
      yield { check: id, title, endpoint: endpoint.slug, ...verdict };
    }
  }
}

/** The same host on port 80; undefined if the origin is http, or https on a port of its own. */
function plainOf(origin: string, timeoutMs: number | undefined): Send | undefined {
  const { protocol, host, port } = new URL(origin);
  return protocol === "https:" && port === "" ? sendTo(`http://${host}`, timeoutMs) : undefined;
}
