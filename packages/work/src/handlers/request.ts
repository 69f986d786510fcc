import type { FetchBytes } from "@gatehouse/auth";
import type { SendRequest } from "./context.ts";

const LIMITS = { maxBytes: 4 * 1024 * 1024, timeoutMs: 10_000 };

/** Requests of handlers and reconcilers, under the guard of all outbound requests. */
export function createSendRequest(fetchBytes: FetchBytes): SendRequest {
  return async (url, options = {}) => {
    const { status, headers, bytes } = await fetchBytes(url, { ...options, ...LIMITS });
    return { status, headers, text: Buffer.from(bytes).toString("utf8") };
  };
}
