/** How long a body may take to arrive, so that nobody can hold a request open by sending a byte now and then. */
export const BODY_SECONDS = 15;

export type BodyProblem =
  /** More than the limit, announced or counted. */
  | "too_large"
  /** The sender hung up, or the stream broke. */
  | "incomplete"
  /** Not complete within {@link BODY_SECONDS}. */
  | "late";

/** A body that could not be read. `received` is the part of a chunked body that had arrived. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly problem: BodyProblem;
  /** The limit in bytes, for the message to the sender. */
  readonly maxBytes: number;
  readonly received: Uint8Array;

  constructor(problem: BodyProblem, maxBytes: number, received: Uint8Array = new Uint8Array(), options?: ErrorOptions) {
    super(`the body is ${problem.replace("_", " ")}`, options);
    this.problem = problem;
    this.maxBytes = maxBytes;
    this.received = received;
  }
}

/** Reads the body of a request as text in UTF-8. Throws {@link BodyError}. */
export function readText(request: Request, maxBytes: number): Promise<string> {
  return read(request, maxBytes, () => request.text(), decode);
}

/** Reads the body of a request as bytes. Throws {@link BodyError}. */
export function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  return read(
    request,
    maxBytes,
    () => wholeBytes(request),
    (bytes) => bytes,
  );
}

/** Without a copy where the request has `bytes()`: our own has, and the standard one of newer versions of Node. */
function wholeBytes(request: Request & { bytes?: () => Promise<Uint8Array> }): Promise<Uint8Array> {
  return request.bytes ? request.bytes() : request.arrayBuffer().then((buffer) => new Uint8Array(buffer));
}

/** Collects a stream of bytes. Throws {@link BodyError}, with the stream's own error as the cause. */
export async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const received: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      received.push(chunk);
      length += chunk.byteLength;
      if (length > maxBytes) throw new BodyError("too_large", maxBytes, Buffer.concat(received));
    }
  } catch (cause) {
    throw cause instanceof BodyError
      ? cause
      : new BodyError("incomplete", maxBytes, Buffer.concat(received), { cause });
  }
  return Buffer.concat(received);
}

/**
 * What a request of our own server has besides the standard: its whole body, if that has arrived and nobody has read
 * it.
 */
export type TakesArrived = { takeArrived(): Uint8Array<ArrayBuffer> | undefined };

function read<T>(
  request: Request & Partial<TakesArrived>,
  maxBytes: number,
  whole: () => Promise<T>,
  from: (bytes: Uint8Array) => T,
): Promise<T> {
  const announced = request.headers.get("content-length");
  if (announced === null) return withDeadline(collect(request.body ?? EMPTY, maxBytes).then(from), maxBytes);
  if (Number(announced) > maxBytes) return Promise.reject(new BodyError("too_large", maxBytes));
  const arrived = request.takeArrived?.();
  // The HTTP server holds the sender to the announced length, so a body with one needs no counting.
  return arrived ? Promise.resolve(from(arrived)) : withDeadline(whole(), maxBytes);
}

/**
 * Without a byte order mark, as `Request.text` returns it. A small body costs a `TextDecoder` several times as much.
 */
function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const EMPTY: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

type PendingRead = { sinceTick: number; timeOut: () => void };
const pendingReads = new Set<PendingRead>();
let ticks = 0;
let interval: NodeJS.Timeout | undefined;

/**
 * Rejects with {@link BodyError} when `reading` fails or takes too long. One timer serves all: one each would cost more
 * than most reads.
 */
function withDeadline<T>(reading: Promise<T>, maxBytes: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const read: PendingRead = { sinceTick: ticks, timeOut: () => reject(new BodyError("late", maxBytes)) };
    pendingReads.add(read);
    interval ??= setInterval(tick, 1000).unref();
    reading.then(
      (value) => {
        pendingReads.delete(read);
        resolve(value);
      },
      (cause: unknown) => {
        pendingReads.delete(read);
        reject(cause instanceof BodyError ? cause : new BodyError("incomplete", maxBytes, undefined, { cause }));
      },
    );
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
