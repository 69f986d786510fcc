/** A delivery may have this many bytes. Frameworks in front of us cut far larger bodies silently; this stays well below. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** What is kept of the body of a refused delivery. */
export const KEPT_BODY_BYTES = 4096;
/** A body has this long to arrive: nobody holds a request open by sending a byte now and then. */
export const BODY_SECONDS = 15;

export type Body =
  | { kind: "whole"; bytes: Uint8Array }
  /** Over the limit; `bytes` is what came before we stopped, at most {@link KEPT_BODY_BYTES}. */
  | { kind: "too_large"; bytes: Uint8Array }
  /** The sender went away, or the stream broke. */
  | { kind: "broken"; bytes: Uint8Array }
  /** Not whole within {@link BODY_SECONDS}. */
  | { kind: "late"; bytes: Uint8Array };

const NOTHING = new Uint8Array();

/**
 * Reads the raw bytes, refusing by `Content-Length` before reading and by count while reading (chunked bodies announce none).
 * Never takes longer than {@link BODY_SECONDS}.
 */
export async function readBody(request: Request): Promise<Body> {
  const announced = request.headers.get("content-length");
  if (announced !== null && /^\d+$/.test(announced) && Number(announced) > MAX_BODY_BYTES) {
    await request.body?.cancel().catch(() => undefined);
    return { kind: "too_large", bytes: NOTHING };
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Body>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "late", bytes: NOTHING }), BODY_SECONDS * 1000);
  });
  // The server in front holds the sender to the length it announced, so this is bounded too, and spares the stream.
  const body = await Promise.race([announced === null ? readChunks(request) : readAnnounced(request), late]);
  clearTimeout(timer);
  return body;
}

async function readChunks(request: Request): Promise<Body> {
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
