import { createHmac, randomUUID } from "node:crypto";

/** A request on the wire; `{value}` in its body and headers is replaced in each request. */
export type HttpRequest = { method: "GET" | "POST"; path: string; headers: Record<string, string>; body: string };

/** The requests of one kind that the connections of a run send. */
export type Source =
  /** The same bytes each time. */
  | { kind: "fixed"; request: HttpRequest }
  /** Each value once; the run ends when they are used up. */
  | { kind: "each"; request: HttpRequest; values: string[] }
  /** The values in turn, again and again. */
  | { kind: "turn"; request: HttpRequest; values: string[] }
  /**
   * Starts with these values, and continues with the `member` of each response. There are more values than connections.
   */
  | { kind: "chain"; request: HttpRequest; first: string[]; member: string }
  /** `count` new events, signed as Stripe signs. */
  | { kind: "stripe"; path: string; secret: string; count: number };

/** Several sources; `order` says, again and again, which one is next. */
export type Mix = { kind: "mix"; sources: Source[]; order: readonly number[] };
export type Traffic = Source | Mix;

const PLACE = "{value}";
const filled = (text: string, value: string) => text.replace(PLACE, () => value);

/** The request with its value. */
function withValue({ headers, body, ...request }: HttpRequest, value: string): HttpRequest {
  const named = Object.entries(headers).map(([name, text]) => [name, filled(text, value)]);
  return { ...request, headers: Object.fromEntries(named), body: filled(body, value) };
}

/** The bytes of a request to `host`, with its value. */
export function render(template: HttpRequest, host: string, value = ""): Buffer {
  const { method, path, headers, body } = withValue(template, value);
  const lines = Object.entries({
    Host: host,
    ...headers,
    ...(method === "POST" && { "Content-Length": Buffer.byteLength(body) }),
  });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, text]) => `${name}: ${text}\r\n`).join("")}\r\n${body}`,
  );
}

const EVENT_BYTES = 1024;

/** A Stripe event of one kilobyte with a unique id, and its signature over `<time>.<body>`. */
export function stripeRequest(path: string, secret: string): HttpRequest {
  const event = {
    id: `evt_${randomUUID()}`,
    object: "event",
    type: "price.updated",
    data: { object: { id: "in_1", note: "" } },
  };
  event.data.object.note = "x".repeat(EVENT_BYTES - JSON.stringify(event).length);
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return {
    method: "POST",
    path,
    headers: { "Content-Type": "application/json", "Stripe-Signature": `t=${time},v1=${signature}` },
    body,
  };
}

/** One request of each source, for a check before the run. Values that work once are not used again. */
export function takeFirst(traffic: Traffic): HttpRequest[] {
  if (traffic.kind === "mix") return traffic.sources.flatMap(takeFirst);
  if (traffic.kind === "stripe") return [stripeRequest(traffic.path, traffic.secret)];
  if (traffic.kind === "fixed") return [traffic.request];
  if (traffic.kind === "turn") return [withValue(traffic.request, first(traffic.values))];
  return [
    withValue(
      traffic.request,
      first(traffic.kind === "each" ? traffic.values.splice(0, 1) : traffic.first.splice(0, 1)),
    ),
  ];
}

function first([value]: readonly string[]): string {
  if (value === undefined) throw new Error("there is no value for a request");
  return value;
}

/**
 * The traffic of a warm-up that takes `share` of the time, and that of the measurement after it. No value of the one is
 * in the other.
 */
export function split(traffic: Traffic, share: number): [warm: Traffic, measured: Traffic] {
  if (traffic.kind === "mix") {
    const parts = traffic.sources.map((source) => split(source, share) as [Source, Source]);
    return [
      { ...traffic, sources: parts.map(([warm]) => warm) },
      { ...traffic, sources: parts.map(([, measured]) => measured) },
    ];
  }
  if (traffic.kind === "each") {
    const at = Math.ceil(traffic.values.length * share);
    return [
      { ...traffic, values: traffic.values.slice(0, at) },
      { ...traffic, values: traffic.values.slice(at) },
    ];
  }
  if (traffic.kind === "stripe") {
    const warm = Math.ceil(traffic.count * share);
    return [
      { ...traffic, count: warm },
      { ...traffic, count: traffic.count - warm },
    ];
  }
  if (traffic.kind !== "chain") return [traffic, traffic];
  // The requests that are under way when the warm-up ends spend their tokens.
  const half = Math.floor(traffic.first.length / 2);
  return [
    { ...traffic, first: traffic.first.slice(0, half) },
    { ...traffic, first: traffic.first.slice(half) },
  ];
}
