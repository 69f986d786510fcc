import { OAuthError } from "../errors/error.ts";

/** A body must arrive within this time, so that slow senders cannot hold requests open. */
export const BODY_SECONDS = 15;

/** Bytes. Far above what any endpoint needs. */
const BODY_LIMIT = 64 * 1024;

/**
 * Reads the body of a request as text. Throws `invalid_request`: 413 for more than `limit` bytes, 408 after {@link BODY_SECONDS},
 * 400 when the sender disconnects.
 */
export async function readText(request: Request, limit = BODY_LIMIT): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw bodyTooLarge(limit);
  try {
    // The HTTP server enforces the declared length.
    return await withDeadline(declared === null ? readChunks(request, limit) : request.text());
  } catch (cause) {
    throw cause instanceof OAuthError ? cause : bodyEndedEarly();
  }
}

type PendingRead = { sinceTick: number; timeOut: () => void };
const pendingReads = new Set<PendingRead>();
let ticks = 0;
let interval: NodeJS.Timeout | undefined;

/** Rejects with 408 when `reading` takes too long. All reads share one timer, because a timer per read costs more than most reads. */
function withDeadline<T>(reading: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const read: PendingRead = { sinceTick: ticks, timeOut: () => reject(bodyLate()) };
    pendingReads.add(read);
    interval ??= setInterval(tick, 1000).unref();
    reading.finally(() => pendingReads.delete(read)).then(resolve, reject);
  });
}

function tick(): void {
  ticks++;
  for (const read of pendingReads) {
    if (ticks - read.sinceTick < BODY_SECONDS) break; // the set is ordered by age
    pendingReads.delete(read);
    read.timeOut();
  }
  if (pendingReads.size > 0) return;
  clearInterval(interval);
  interval = undefined;
}

async function readChunks(request: Request, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > limit) throw bodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** 413 for a body of more than `limit` bytes. RFC 9110 §15.5.14. */
export function bodyTooLarge(limit: number): OAuthError {
  const description = `The body is larger than ${limit / 1024} KiB.`;
  return new OAuthError("invalid_request", "request_too_large", description, { description, status: 413 });
}

/** 400 for a sender that disconnects: not a server error. */
export function bodyEndedEarly(): OAuthError {
  return new OAuthError("invalid_request", "body_unreadable", "The body ended early.", { description: "The body ended early." });
}

/** 408. Closes the connection, because the rest of the body would still arrive on it. RFC 9110 §15.5.9. */
function bodyLate(): OAuthError {
  const description = `The body took longer than ${BODY_SECONDS} seconds to arrive.`;
  return new OAuthError("invalid_request", "body_late", description, { description, status: 408, headers: { Connection: "close" } });
}
