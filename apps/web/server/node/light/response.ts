import type { ServerResponse } from "node:http";
import { endOfTurn } from "./end-of-turn.ts";
import { LightHeaders } from "./headers.ts";

/** The bodies of our own responses. Every other kind uses the standard class. */
type PlainBody = string | Uint8Array | null;

/**
 * `Response` as plain data: creating the standard one costs more than most of our responses. The build replaces `Response` by it,
 * in the server's bundle only; Next keeps the standard class.
 */
export class LightResponse implements Pick<Response, "status" | "statusText" | "ok" | "body" | "text" | "json" | "arrayBuffer"> {
  readonly status: number;
  readonly statusText: string;
  readonly headers: LightHeaders;
  readonly #body: PlainBody | Response;

  constructor(body: BodyInit | null = null, init: Omit<ResponseInit, "headers"> & { headers?: HeadersInit | LightHeaders } = {}) {
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? "";
    this.headers = LightHeaders.from(init.headers);
    const plain = body === null || typeof body === "string" || body instanceof Uint8Array;
    this.#body = plain ? (body as PlainBody) : new globalThis.Response(body);
    const type =
      typeof body === "string" ? "text/plain;charset=UTF-8" : plain ? null : (this.#body as Response).headers.get("content-type");
    if (type !== null && !this.headers.has("content-type")) this.headers.set("content-type", type);
  }

  static json(value: unknown, init: ResponseInit = {}): LightResponse {
    const response = new LightResponse(null, init);
    if (!response.headers.has("content-type")) response.headers.set("content-type", "application/json");
    return new LightResponse(JSON.stringify(value), response);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#body === null ? null : this.#standardBody().body;
  }

  text(): Promise<string> {
    return this.#standardBody().text();
  }

  json(): Promise<unknown> {
    return this.#standardBody().json();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#standardBody().arrayBuffer();
  }

  /** Writes the response at once; a stream is read to its end first. `everywhere` has the headers of every response. */
  async writeTo(outgoing: ServerResponse, everywhere: Record<string, string>): Promise<void> {
    const body = this.#body instanceof globalThis.Response ? new Uint8Array(await this.#body.arrayBuffer()) : this.#body;
    const { fields } = this.headers;
    for (const name in everywhere) fields[name] = everywhere[name];
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (body !== null || (outgoing.req.method !== "HEAD" && this.status !== 204 && this.status !== 304))
      fields["content-length"] = String(length);
    outgoing.writeHead(this.status, fields);
    endOfTurn(outgoing, body ?? "", length);
  }

  #standardBody(): Response {
    return this.#body instanceof globalThis.Response ? this.#body : new globalThis.Response(this.#body as BodyInit | null);
  }
}
