import { GatehouseError } from "../error.ts";

/** A request whose body somebody else has read: the bytes as they came, not parsed. */
export type RawRequest = {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array | string;
};

const MAX_BYTES = 1024 * 1024;

/** The bytes of a request, as they came. */
export async function readBody(request: Request | RawRequest): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = request;
  if (typeof body === "string") return bounded(new TextEncoder().encode(body));
  if (body instanceof Uint8Array) return bounded(new Uint8Array(body));
  if (!(request instanceof Request) || request.bodyUsed)
    throw new GatehouseError(
      "configuration",
      "Something has read or parsed the body before verifyWebhook. Pass the request as it arrived, or its raw bytes as body.",
    );
  return body === null ? new Uint8Array() : collect(body);
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function bounded(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength > MAX_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = () => new GatehouseError("invalid_request", "The body is larger than 1 MiB.");
