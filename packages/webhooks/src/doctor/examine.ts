import type { EndpointTarget, SiteContext, Verdict } from "./check.ts";
import { ENDPOINT_CHECKS } from "./checks/endpoint.ts";
import { PROXY_CHECKS } from "./checks/proxy.ts";
import { SITE_CHECKS } from "./checks/site.ts";
import { type Send, sendTo } from "./request.ts";

/** The result of one check. `endpoint` is null for those of the whole server. */
export type Finding = Verdict & { check: string; title: string; endpoint: string | null };

type Options = {
  /** The public origin to examine, such as `https://gate.example`. */
  origin: string;
  /** Unix seconds. */
  now: () => number;
  /** See {@link SiteContext}. */
  proof?: Record<string, string>;
  /** How long each request may take. */
  timeoutMs?: number;
};

/** Examines the server and then each endpoint. Ends after the first finding if nothing answers at `origin`. */
export async function* examine({
  endpoints,
  ...options
}: Options & { endpoints: readonly EndpointTarget[] }): AsyncGenerator<Finding> {
  for await (const finding of examineServer(options)) {
    yield finding;
    if (finding.check === "health" && finding.seen.startsWith("no answer")) return;
  }
  for (const endpoint of endpoints) yield* examineEndpoint(endpoint, options);
}

/**
 * Examines the server at `origin` and what is in front of it, from the outside, one request at a time, and yields each
 * finding as it is made. Ends after the first one if nothing answers.
 */
export async function* examineServer({ origin, now, proof, timeoutMs }: Options): AsyncGenerator<Finding> {
  const sendPlain = plainOf(origin, timeoutMs);
  const site: SiteContext = {
    origin,
    send: sendTo(origin, timeoutMs),
    now,
    ...(sendPlain && { sendPlain }),
    ...(proof && { proof }),
  };
  for (const { id, title, run } of [...SITE_CHECKS, ...PROXY_CHECKS]) {
    const finding = { check: id, title, endpoint: null, ...(await run(site)) };
    yield finding;
    if (id === "health" && finding.seen.startsWith("no answer")) return;
  }
}

/** Examines one webhook endpoint as its provider reaches it. */
export async function* examineEndpoint(
  endpoint: EndpointTarget,
  { origin, now, timeoutMs }: Options,
): AsyncGenerator<Finding> {
  const sendPlain = plainOf(origin, timeoutMs);
  const context = { origin, send: sendTo(origin, timeoutMs), now, endpoint, ...(sendPlain && { sendPlain }) };
  for (const { id, title, run } of ENDPOINT_CHECKS)
    yield { check: id, title, endpoint: endpoint.slug, ...(await run(context)) };
}

/** The same host on port 80; undefined if the origin is http, or https on a port of its own. */
function plainOf(origin: string, timeoutMs: number | undefined): Send | undefined {
  const { protocol, host, port } = new URL(origin);
  return protocol === "https:" && port === "" ? sendTo(`http://${host}`, timeoutMs) : undefined;
}
