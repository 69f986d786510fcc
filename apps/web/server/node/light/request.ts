import type { IncomingMessage } from "node:http";
import { BodyError, type TakesArrived } from "@gatehouse/runtime";
import { awaitBody } from "../../overload/load.ts";
import { MAX_BODY_BYTES, toRequest } from "../convert.ts";
import { endBody } from "./end-body.ts";
import { LightHeaders } from "./headers.ts";

type Contract = Pick<Request, "method" | "url" | "text" | "json" | "arrayBuffer" | "formData" | "blob" | "signal">;

/**
 * A Node request with the interface of the standard `Request`, without creating one: the headers are Node's own object,
 * and the body is read from the socket on first use. Members that our handlers do not use fall back to the standard
 * class, which then owns the body. The server must set `joinDuplicateHeaders`, so that two Authorization headers do not
 * look like one (BR-07).
 */
export class LightRequest implements Contract, TakesArrived {
  readonly method: string;
  /** Its origin is the issuer's; the `Host` header is ignored (SE-02). */
  readonly url: string;
  readonly headers: LightHeaders;
  readonly #incoming: IncomingMessage;
  readonly #origin: string;
  #standard: Request | undefined;
  #signal: AbortSignal | undefined;
  #used = false;

  constructor(incoming: IncomingMessage, origin: string) {
    this.method = incoming.method ?? "GET";
    this.url = origin + (incoming.url ?? "/");
    this.headers = new LightHeaders(incoming.headers);
    this.#incoming = incoming;
    this.#origin = origin;
  }

  get bodyUsed(): boolean {
    return this.#standard?.bodyUsed ?? this.#used;
  }

  async text(): Promise<string> {
    if (this.#standard) return this.#standard.text();
    const text = (await this.#read()).toString("utf8");
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text; // the standard class drops a byte order mark too
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#standard) return this.#standard.arrayBuffer();
    const bytes = await this.#read();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }

  /** The bytes as they arrived, without a copy. Not in Node 20's standard class. */
  async bytes(): Promise<Uint8Array> {
    if (this.#standard) return new Uint8Array(await this.#standard.arrayBuffer());
    return this.#read();
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!this.#used) return this.#asStandard().body;
    const consumed = new Blob([]).stream();
    consumed.getReader(); // locked, like a body that the standard class has read
    return consumed;
  }

  async formData(): Promise<FormData> {
    return this.#asStandard().formData();
  }

  async blob(): Promise<Blob> {
    return this.#asStandard().blob();
  }

  clone(): Request {
    return this.#asStandard().clone();
  }

  /** Never aborted: the response is written even if the caller is gone. */
  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  #asStandard(): Request {
    if (this.#used) throw alreadyRead();
    this.#standard ??= toRequest(this.#incoming, this.#origin);
    return this.#standard;
  }

  #read(): Promise<Buffer> {
    if (this.method === "GET" || this.method === "HEAD") return Promise.resolve(Buffer.alloc(0));
    if (this.#used) return Promise.reject(alreadyRead());
    this.#used = true;
    return readAll(this.#incoming);
  }

  /**
   * The whole body, if it is announced and all of it is in the stream's buffer, where a small one arrives together with
   * the headers.
   */
  takeArrived(): Uint8Array<ArrayBuffer> | undefined {
    const incoming = this.#incoming;
    const { readableLength } = incoming;
    // GET and HEAD have no body, as in the standard class
    if (this.method === "GET" || this.method === "HEAD") return undefined;
    if (readableLength === 0 || this.#used || this.#standard || incoming.destroyed) return undefined;
    if (Number(incoming.headers["content-length"]) !== readableLength) return undefined;
    this.#used = true;
    const { buffer, byteOffset, byteLength } = incoming.read() as Buffer<ArrayBuffer>;
    endBody(incoming);
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
}

function alreadyRead(): TypeError {
  return new TypeError("the body was already read");
}

/** Rejects when the sender hangs up or has hung up, and when the body is larger than {@link MAX_BODY_BYTES}. */
function readAll(incoming: IncomingMessage): Promise<Buffer> {
  if (incoming.destroyed) return Promise.reject(new BodyError("incomplete", MAX_BODY_BYTES));
  awaitBody(incoming);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new BodyError("too_large", MAX_BODY_BYTES));
    });
    incoming.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on("error", () => reject(new BodyError("incomplete", MAX_BODY_BYTES)));
    // No error after the end: one for every request would cost more than reading the body.
    incoming.on("close", () => incoming.readableEnded || reject(new BodyError("incomplete", MAX_BODY_BYTES)));
  });
}
