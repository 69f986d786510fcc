import { OAuthError } from "../errors/error.ts";

/** A body has this long to arrive: nobody holds a request open by sending a byte now and then. */
export const BODY_SECONDS = 15;

/** Every parameter an endpoint of ours knows is far below this; more is an attack or a mistake. */
const BODY_LIMIT = 64 * 1024;

/**
 * The body of a request as text. Throws `invalid_request`: 413 for more than `limit` bytes, 408 when it takes longer than
 * {@link BODY_SECONDS}, 400 when the sender hangs up.
 */
export async function readText(request: Request, limit = BODY_LIMIT): Promise<string> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limit) throw bodyTooLarge(limit);
  try {
    // The server in front holds the sender to the announced length.
    return await inTime(announced === null ? readChunks(request, limit) : request.text());
  } catch (cause) {
    throw cause instanceof OAuthError ? cause : bodyEndedEarly();
  }
}

type Arriving = { sinceTick: number; giveUp: () => void };
const arriving = new Set<Arriving>();
let ticks = 0;
let ticking: NodeJS.Timeout | undefined;

/** Rejects with 408 when `reading` takes too long. One timer serves all bodies: a timer each costs more than most bodies take to arrive. */
function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const one: Arriving = { sinceTick: ticks, giveUp: () => reject(bodyLate()) };
    arriving.add(one);
    ticking ??= setInterval(tick, 1000).unref();
    reading.finally(() => arriving.delete(one)).then(resolve, reject);
  });
}

function tick(): void {
  ticks++;
  for (const one of arriving) {
    if (ticks - one.sinceTick < BODY_SECONDS) break; // in order of arrival
    arriving.delete(one);
    one.giveUp();
  }
  if (arriving.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
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

/** 413. RFC 9110 §15.5.14. */
export function bodyTooLarge(limit: number): OAuthError {
  const description = `The body is larger than ${limit / 1024} KiB.`;
  return new OAuthError("invalid_request", "request_too_large", description, { description, status: 413 });
}

/** 400: a sender that hangs up is no failure of ours. */
export function bodyEndedEarly(): OAuthError {
  return new OAuthError("invalid_request", "body_unreadable", "The body ended early.", { description: "The body ended early." });
}

/** 408, and the connection ends with it: the rest of the body would still come. RFC 9110 §15.5.9. */
function bodyLate(): OAuthError {
  const description = `The body took longer than ${BODY_SECONDS} seconds to arrive.`;
  return new OAuthError("invalid_request", "body_late", description, { description, status: 408, headers: { Connection: "close" } });
}
