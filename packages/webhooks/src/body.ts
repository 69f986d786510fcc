/** A delivery may have this many bytes. Frameworks in front of us cut far larger bodies silently; this stays well below. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** What is kept of the body of a refused delivery. */
export const KEPT_BODY_BYTES = 4096;

export type Body =
  | { kind: "whole"; bytes: Uint8Array }
  /** Over the limit; `bytes` is what came before we stopped, at most {@link KEPT_BODY_BYTES}. */
  | { kind: "too_large"; bytes: Uint8Array }
  /** The sender went away, or the stream broke. */
  | { kind: "broken"; bytes: Uint8Array };

const NOTHING = new Uint8Array();

/** Reads the raw bytes, refusing by `Content-Length` before reading and by count while reading (chunked bodies announce none). */
export async function readBody(request: Request): Promise<Body> {
  const announced = request.headers.get("content-length");
  if (announced !== null && /^\d+$/.test(announced) && Number(announced) > MAX_BODY_BYTES) {
    await request.body?.cancel().catch(() => undefined);
    return { kind: "too_large", bytes: NOTHING };
  }
  // The server in front holds the sender to the length it announced, so this is bounded too, and spares the stream.
  if (announced !== null) return readAnnounced(request);
  if (request.body === null) return { kind: "whole", bytes: NOTHING };

  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { kind: "whole", bytes: Buffer.concat(chunks) };
      chunks.push(value);
      length += value.byteLength;
      if (length > MAX_BODY_BYTES) {
        await reader.cancel().catch(() => undefined);
        return { kind: "too_large", bytes: Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES) };
      }
    }
  } catch {
    return { kind: "broken", bytes: Buffer.concat(chunks).subarray(0, KEPT_BODY_BYTES) };
  }
}

async function readAnnounced(request: Request): Promise<Body> {
  try {
    return { kind: "whole", bytes: new Uint8Array(await request.arrayBuffer()) };
  } catch {
    return { kind: "broken", bytes: NOTHING };
  }
}

/** Parses UTF-8 JSON; a leading byte order mark is ignored. undefined when it is not JSON, which no JSON text means. */
export function parseJson(bytes: Uint8Array): { payload: unknown } | undefined {
  try {
    return { payload: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}
