import { type FetchBytes, OutboundError } from "@gatehouse/auth";
import type { CustomFetch } from "openid-client";

/** Of each request to a provider. UP-05. */
const LIMITS = { maxBytes: 1024 * 1024, timeoutMs: 5000 };
const WITHOUT_BODY = [204, 205, 304];

/**
 * `fetch` for openid-client through the guard of all outbound requests: public addresses, no redirects, 5 s and 1 MiB.
 * UP-05, CI-05.
 */
export function guardedFetch(fetchBytes: FetchBytes): CustomFetch {
  return async (url, { headers, body, signal }) => {
    const sent = body === undefined || body === null ? undefined : String(body);
    const { status, headers: received, bytes } = await fetchBytes(url, { ...LIMITS, headers, body: sent, signal });
    if (status < 200 || status > 599) throw new OutboundError("unreachable", `status ${status}`);
    const type = received["content-type"];
    return new Response(WITHOUT_BODY.includes(status) ? null : Buffer.from(bytes), {
      status,
      headers: type ? { "content-type": type } : {},
    });
  };
}
