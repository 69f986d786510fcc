import { type Parsed, parseJson } from "./body.ts";
import type { EndpointSettings } from "./endpoint.ts";
import type { Adapter } from "./providers/adapter.ts";

/** One delivery as adapters see it. Nothing in it is verified. */
export type Incoming = {
  method: string;
  headers: Headers;
  /** The raw bytes. */
  body: Uint8Array;
  /** The public URL of the endpoint, from the configuration and never from the request. Some providers sign it. */
  url: string;
  endpoint: EndpointSettings;
  /** Parses the body as the adapter does. Returns undefined if it cannot be parsed; parses once, however often it is called. */
  parsed(): Parsed | undefined;
};

/** Makes an {@link Incoming} whose body is parsed at most once. */
export function createIncoming(request: Omit<Incoming, "parsed">, adapter: Pick<Adapter, "parse">): Incoming {
  let outcome: { parsed: Parsed | undefined } | undefined;
  const parse = adapter.parse ?? parseJson;
  const parsed = () => {
    outcome ??= { parsed: parse(request.body) };
    return outcome.parsed;
  };
  return { ...request, parsed };
}
