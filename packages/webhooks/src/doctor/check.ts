import type { Probe, Reply, Response, Send } from "./request.ts";

/** `skipped`: the check does not apply here, and `sentence` says why. */
export type Verdict = {
  state: "ok" | "warning" | "failed" | "skipped";
  /** What came back: "400", "308 to /x", "no answer". */
  seen: string;
  /** What is wrong and why, in one sentence; what was confirmed, if nothing is. */
  sentence: string;
  /** What to change; null if there is nothing to do. */
  fix: string | null;
};

/** A webhook endpoint to examine, with requests that only its provider's scheme can make. */
export type EndpointTarget = {
  slug: string;
  /** The provider's name, for messages. */
  provider: string;
  contentType: string;
  /** False for a provider's usual endpoint that nobody has configured: it has no secret. By default true. */
  isConfigured?: boolean;
  /** Sent with every request, so that the receiver can tell them from a provider's. */
  headers?: Record<string, string>;
  /**
   * A well-formed delivery signed with a secret that nobody has. Undefined if the scheme's private key cannot be
   * imitated.
   */
  forge?: (() => Pick<Probe, "headers" | "body">) | undefined;
  /** A correctly signed synthetic event whose body has about this many bytes. Only where a secret can be read. */
  sign?: ((bytes: number) => Pick<Probe, "headers" | "body">) | undefined;
};

export type SiteContext = {
  origin: string;
  send: Send;
  /** To the same host on port 80, if the origin is https on its usual port. */
  sendPlain?: Send;
  /** Unix seconds. */
  now: () => number;
  /** Headers that prove to the server that its own doctor asks. Without them, it does not say what it sees. */
  proof?: Record<string, string>;
};
export type EndpointContext = SiteContext & { endpoint: EndpointTarget };

/** One thing that is examined. `id` names it in JSON and tests. */
export type Check<Context> = { id: string; title: string; run(context: Context): Promise<Verdict> };

export const ok = (seen: string, sentence: string): Verdict => ({ state: "ok", seen, sentence, fix: null });
export const skipped = (sentence: string): Verdict => ({ state: "skipped", seen: "–", sentence, fix: null });
export const failed = (seen: string, sentence: string, fix: string): Verdict => ({
  state: "failed",
  seen,
  sentence,
  fix,
});
export const warning = (seen: string, sentence: string, fix: string): Verdict => ({
  state: "warning",
  seen,
  sentence,
  fix,
});

export const webhookPath = (slug: string): string => `/api/webhooks/${slug}`;

export function headerOf({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The parsed body, or undefined if the response is not a JSON object. */
export function jsonOf({ text }: Response): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** "400", "308 to https://…", "no answer (…)". */
export function describe(reply: Reply): string {
  if (reply.kind === "failed")
    return reply.problem === "timeout" ? "no answer in time" : `no answer (${reply.message.slice(0, 120)})`;
  const location = headerOf(reply.response, "location");
  return location === undefined
    ? String(reply.response.status)
    : `${reply.response.status} to ${location.slice(0, 120)}`;
}
