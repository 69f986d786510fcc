import { type Parsed, parseJson } from "./body.ts";
import type { EndpointSettings } from "./endpoint.ts";

/** One delivery as adapters see it. Nothing in it is verified. */
export type Incoming = {
  method: string;
  headers: Headers;
  /** The raw bytes. */
  body: Uint8Array;
  /** The public URL of the endpoint, from the configuration and never from the request. Some providers sign it. */
  url: string;
  endpoint: EndpointSettings;
  /**
   * Parses the body as the adapter does. Returns undefined if it cannot be parsed; parses once, however often it is
   * called.
   */
  parsed(): Parsed | undefined;
};

/** Makes an {@link Incoming} whose body is parsed at most once. */
export function createIncoming(
  { method, headers, body, url, endpoint }: Omit<Incoming, "parsed">,
  { parse = parseJson }: { parse?: (body: Uint8Array) => Parsed | undefined },
): Incoming {
  let outcome: Parsed | null | undefined; // null if it cannot be parsed
  const parsed = () => {
    if (outcome === undefined) outcome = parse(body) ?? null;
    return outcome ?? undefined;
  };
  return { method, headers, body, url, endpoint, parsed };
}
