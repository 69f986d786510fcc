import { createHmac, randomUUID } from "node:crypto";

/** A request on the wire; `{value}` in its body is replaced in each request. */
export type HttpRequest = { method: "GET" | "POST"; path: string; headers: Record<string, string>; body: string };

/** The requests that the connections of a run send. */
export type Traffic =
  /** The same bytes each time. */
  | { kind: "fixed"; request: HttpRequest }
  /** Each value once, on any connection; the run ends when they are used up. */
  | { kind: "each"; request: HttpRequest; values: string[] }
  /** Each connection starts with its own value and continues with the `member` of each response. */
  | { kind: "chain"; request: HttpRequest; first: string[]; member: string }
  /** `count` new events, signed as Stripe signs. */
  | { kind: "stripe"; path: string; secret: string; count: number };

/** The bytes of a request to `host`, with its value. */
export function render({ method, path, headers, body }: HttpRequest, host: string, value = ""): Buffer {
  const content = body.replace("{value}", () => value);
  const lines = Object.entries({ Host: host, ...headers, ...(method === "POST" && { "Content-Length": Buffer.byteLength(content) }) });
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, text]) => `${name}: ${text}\r\n`).join("")}\r\n${content}`);
}

const EVENT_BYTES = 1024;

/** A Stripe event of one kilobyte with a unique id, and its signature over `<time>.<body>`. */
export function stripeRequest(path: string, secret: string): HttpRequest {
  const event = { id: `evt_${randomUUID()}`, object: "event", type: "price.updated", data: { object: { id: "in_1", note: "" } } };
  event.data.object.note = "x".repeat(EVENT_BYTES - JSON.stringify(event).length);
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return { method: "POST", path, headers: { "Content-Type": "application/json", "Stripe-Signature": `t=${time},v1=${signature}` }, body };
}

/** The first request, for a check before the run. Its value is not used again. */
export function takeFirst(traffic: Traffic): HttpRequest {
  if (traffic.kind === "stripe") return stripeRequest(traffic.path, traffic.secret);
  if (traffic.kind === "fixed") return traffic.request;
  const value = (traffic.kind === "each" ? traffic.values : traffic.first).pop();
  if (value === undefined) throw new Error("nothing to say");
  return { ...traffic.request, body: traffic.request.body.replace("{value}", () => value) };
}
