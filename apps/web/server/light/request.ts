import type { IncomingMessage } from "node:http";
import { toRequest } from "../node.ts";
import { LightHeaders } from "./headers.ts";

/**
 * Node's request seen as the standard one, without building that: its headers are Node's own object, and its body is read
 * off the socket when asked for. What no handler of ours asks for is left to the standard class.
 * Repeated fields come joined by commas, if the server was told so (`joinDuplicateHeaders`): two Authorization headers
 * must not look like one (BR-07).
 */
export class LightRequest implements Pick<Request, "method" | "url" | "text" | "json" | "arrayBuffer" | "formData" | "blob" | "signal"> {
  readonly method: string;
  /** Its origin is the issuer's: what the caller wrote into `Host` decides nothing (SE-02). */
  readonly url: string;
  readonly headers: LightHeaders;
  readonly #incoming: IncomingMessage;
  readonly #origin: string;
  #standard: Request | undefined;
  bodyUsed = false;

  constructor(incoming: IncomingMessage, origin: string) {
    this.method = incoming.method ?? "GET";
    this.url = origin + (incoming.url ?? "/");
    this.headers = new LightHeaders(incoming.headers);
    this.#incoming = incoming;
    this.#origin = origin;
  }

  async text(): Promise<string> {
    const text = (await this.#read()).toString("utf8");
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text; // the standard drops a byte order mark
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.#read();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#asStandard().body;
  }

  formData(): Promise<FormData> {
    return this.#asStandard().formData();
  }

  blob(): Promise<Blob> {
    return this.#asStandard().blob();
  }

  get signal(): AbortSignal {
    return this.#asStandard().signal;
  }

  clone(): Request {
    return this.#asStandard().clone();
  }

  #asStandard(): Request {
    this.#standard ??= toRequest(this.#incoming, this.#origin);
    return this.#standard;
  }

  #read(): Promise<Buffer> {
    if (this.bodyUsed) return Promise.reject(new TypeError("the body was read before"));
    this.bodyUsed = true;
    if (this.method === "GET" || this.method === "HEAD") return Promise.resolve(Buffer.alloc(0));
    return readAll(this.#incoming);
  }
}

function readAll(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on("error", reject);
  });
}
