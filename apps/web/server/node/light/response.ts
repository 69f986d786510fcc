import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { load } from "../../overload/load.ts";
import { REQUEST_ID_HEADER } from "../address.ts";
import { discardRest, endOfTurn } from "./end-of-turn.ts";
import { headOf, type OwnFields } from "./head.ts";
import { LightHeaders } from "./headers.ts";

/** The bodies that almost every response has; other kinds, and readers, use the standard class. */
type PlainBody = string | Uint8Array<ArrayBuffer> | null;

type Contract =
  | "status"
  | "statusText"
  | "ok"
  | "type"
  | "url"
  | "redirected"
  | "body"
  | "bodyUsed"
  | "clone"
  | "text"
  | "json"
  | "arrayBuffer"
  | "blob"
  | "formData";

/** The content type of a stream that never ends by itself. */
const EVENT_STREAM = "text/event-stream";
const HAS_NO_BODY = new Set([204, 205, 304]);

/**
 * `Response` as plain data: constructing the standard one costs more than most of our handlers do. The build replaces
 * `Response` with it in the server's bundle, and only there: Next keeps the standard class. `contract.test.ts` compares
 * the two.
 */
export class LightResponse implements Pick<Response, Contract> {
  readonly status: number;
  readonly statusText: string;
  readonly headers: LightHeaders;
  readonly type = "default";
  readonly url = "";
  readonly redirected = false;
  readonly #plain: PlainBody;
  /** Holds the body if it is not plain, or if someone has asked for it. */
  #standard: Response | undefined;

  constructor(
    body: BodyInit | null = null,
    init: Omit<ResponseInit, "headers"> & { headers?: HeadersInit | LightHeaders } = {},
  ) {
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? "";
    if (this.status < 200 || this.status > 599)
      throw new RangeError(`${this.status} is not a status that a response can have`);
    if (body !== null && HAS_NO_BODY.has(this.status))
      throw new TypeError(`a response with status ${this.status} has no body`);
    this.headers = LightHeaders.from(init.headers);

    if (body === null || typeof body === "string" || body instanceof Uint8Array) {
      this.#plain = body as PlainBody;
      if (typeof body === "string" && !this.headers.has("content-type"))
        this.headers.set("content-type", "text/plain;charset=UTF-8");
      return;
    }
    this.#plain = null;
    this.#standard = new globalThis.Response(body);
    const type = this.#standard.headers.get("content-type");
    if (type !== null && !this.headers.has("content-type")) this.headers.set("content-type", type);
  }

  static json(value: unknown, init: ResponseInit = {}): LightResponse {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError("the value is not JSON");
    const headers = LightHeaders.from(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new LightResponse(text, { ...init, headers });
  }

  static redirect(url: string | URL, status?: number): Response {
    return globalThis.Response.redirect(url, status);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#asStandard().body;
  }

  get bodyUsed(): boolean {
    return this.#standard?.bodyUsed ?? false;
  }

  text(): Promise<string> {
    return this.#asStandard().text();
  }

  json(): Promise<unknown> {
    return this.#asStandard().json();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#asStandard().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.#withHeaders().blob();
  }

  formData(): Promise<FormData> {
    return this.#withHeaders().formData();
  }

  /** Returns a standard response, since a clone is made to be read. */
  clone(): Response {
    const { status, statusText } = this;
    return new globalThis.Response(this.#asStandard().clone().body, { status, statusText, headers: [...this.headers] });
  }

  /**
   * Writes the response in one piece; a stream is read to its end first, except for server-sent events. `everywhere`
   * are headers that every response has. The id of the request is the one that `overwriteClaims` has put into its headers.
   */
  writeTo(outgoing: ServerResponse, everywhere: Record<string, string>): void | Promise<void> {
    const stream = this.#standard?.body;
    if (!stream) return this.#write(this.#plain, outgoing, everywhere);
    if (this.headers.get("content-type") === EVENT_STREAM) return this.#pipe(stream, outgoing, everywhere);
    return this.arrayBuffer().then((bytes) => this.#write(new Uint8Array(bytes), outgoing, everywhere));
  }

  #write(body: PlainBody, outgoing: ServerResponse, everywhere: Record<string, string>): void {
    const length = body === null ? 0 : Buffer.byteLength(body);
    const isAnnounced = body !== null || (outgoing.req.method !== "HEAD" && this.status !== 204 && this.status !== 304);
    outgoing.writeHead(
      this.status,
      headOf(this.headers, everywhere, own(outgoing, isAnnounced ? String(length) : undefined)),
    );
    endOfTurn(outgoing, body ?? "", length);
  }

  /** Sends each chunk as it comes. When the client goes away, the stream is canceled. */
  async #pipe(
    stream: ReadableStream<Uint8Array>,
    outgoing: ServerResponse,
    everywhere: Record<string, string>,
  ): Promise<void> {
    outgoing.writeHead(this.status, headOf(this.headers, everywhere, own(outgoing, undefined)));
    outgoing.flushHeaders();
    load.inFlight -= 1; // it is open for hours, and costs little
    // The pipeline rejects when the client disconnects, which is how these streams usually end.
    await pipeline(Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(() => {});
    load.inFlight += 1;
    discardRest(outgoing.req);
  }

  #asStandard(): Response {
    this.#standard ??= new globalThis.Response(this.#plain);
    return this.#standard;
  }

  /** The readers that look at the content type. */
  #withHeaders(): Response {
    const standard = this.#asStandard();
    const type = this.headers.get("content-type");
    if (type === null) standard.headers.delete("content-type");
    else standard.headers.set("content-type", type);
    return standard;
  }
}

function own({ req }: ServerResponse, length: string | undefined): OwnFields {
  return { requestId: req.headers[REQUEST_ID_HEADER] as string | undefined, length };
}
