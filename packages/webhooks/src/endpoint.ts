/** The environment that an endpoint belongs to. The same three as those of OAuth clients. */
export const ENVIRONMENTS = ["development", "staging", "production"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** An adapter's options of one endpoint that are not secret. A JSON object. */
export type AdapterSettings = Readonly<Record<string, unknown>>;

/** One active secret of an endpoint, decrypted. The log stores the `id` of the secret that matched, never its value. */
export type EndpointSecret = { id: string; value: string };

/** Where the accepted events of an endpoint go besides the product's handlers. */
export type Forward = {
  /** A URL of the product. */
  url: string;
  /** Event types, or beginnings of them that end in `*`; null for all events. */
  events: readonly string[] | null;
};

/** `secrets`: what its requests are signed with, oldest first. None of them verifies a delivery. */
export type Forwarding = Forward & { secrets: readonly EndpointSecret[] };

/**
 * The configuration of one URL, `/api/webhooks/<slug>`. The receiver caches its keys by this object, so a store should
 * return the same object while the configuration is unchanged, and never change one.
 */
export type EndpointSettings = {
  slug: string;
  /** A key of `PROVIDERS`, or a provider that this release no longer has. */
  provider: string;
  environment: Environment;
  enabled: boolean;
  settings: AdapterSettings;
  /** Signing secrets. One of them must verify a delivery. */
  secrets: readonly EndpointSecret[];
  /** API keys of the provider. They never verify a signature. */
  apiKeys: readonly EndpointSecret[];
  /** Absent if events are not forwarded. */
  forward?: Forwarding | undefined;
  /** The number of active signing secrets that the store cannot decrypt. */
  unreadableSecrets: number;
};

/**
 * The allowed clock difference in seconds: the endpoint's `toleranceSeconds`, else the adapter's. Null if the scheme
 * has no timestamp.
 */
export function toleranceOf(
  adapter: { toleranceSeconds: number | null },
  { settings }: Pick<EndpointSettings, "settings">,
): number | null {
  const own = settings["toleranceSeconds"];
  return adapter.toleranceSeconds !== null && typeof own === "number" && own > 0 ? own : adapter.toleranceSeconds;
}
