import { write, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { metrics } from "@gatehouse/runtime/metrics";

/** Lines are written in batches: writing each one separately costs more than most requests. */
const FLUSH_EVERY_MS = 200;
const FLUSH_AT = 8 * 1024;
/** What may wait for a slow reader, in characters; further lines are dropped. */
const MOST_WAITING = 1024 * 1024;
/** How soon to try again when a pipe is full. */
const RETRY_MS = 10;
/** How long the end of the process waits for a full pipe. */
const LAST_WORDS_MS = 500;

type Delivery = { lines: string; settle(error?: Error): void };

/** Where the log goes. The interface that pino expects of a stream, and `deliver`. */
export type LogDestination = {
  /** Takes a line, or drops it when too much waits. Never waits itself. */
  write(line: string): void;
  /** Starts to write what has been taken. */
  flush(): void;
  /** Writes what has been taken before it returns, as far as the pipe takes it. */
  flushSync(): void;
  /**
   * Writes whole lines, which count towards no limit and are never dropped. Resolves once the system has taken them;
   * rejects if it cannot, with `EPIPE` from then on, since the reader is gone. OP-78
   */
  deliver(lines: string): Promise<void>;
};

type Options = {
  /** Whether each line is written at once, as far as the pipe takes it. */
  sync?: boolean;
  fd?: number;
  /** Called with the number of lines that were dropped since the last call, when the reader goes on. */
  onLost?: (lines: number) => void;
};

/** Called when the process ends. */
const finishing = new Set<() => void>();
process.on("exit", () => {
  for (const finish of finishing) finish();
});

/**
 * Writes lines to stdout. A reader that stops reading costs lines, which are counted, and never time: neither the event
 * loop nor a thread waits for it, nor does the end of the process. OP-77
 */
export function openLogDestination({ sync = false, fd = 1, onLost = () => {} }: Options = {}): LogDestination {
  const dropped = metrics.logLinesDropped.series();
  let lost = 0;
  let waiting = "";
  let deliveries: Delivery[] = [];
  /** What is being written, with the deliveries that end in it. `rest` is empty when nothing is. */
  let rest = Buffer.alloc(0);
  let settling: Delivery[] = [];
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  let readerIsGone: Error | undefined;
  if (fd === 1 && isMainThread) openStandardStreams();

  function drop(lines: number): void {
    dropped.add(lines);
    lost += lines;
  }

  /** Takes the next batch if there is none. Returns whether there is something to write. */
  function takeBatch(): boolean {
    if (rest.length > 0) return true;
    rest = Buffer.from(waiting + deliveries.map(({ lines }) => lines).join(""));
    settling = deliveries;
    waiting = "";
    deliveries = [];
    return rest.length > 0;
  }

  function settle(error?: Error): void {
    const settled = settling;
    settling = [];
    for (const one of settled) one.settle(error);
  }

  function written(bytes: number): void {
    rest = rest.subarray(bytes);
    if (rest.length > 0) return;
    settle();
    if (lost === 0 || waiting.length >= FLUSH_AT) return;
    const lines = lost;
    lost = 0;
    onLost(lines);
  }

  /** A full disk loses this batch; a reader that is gone, all that follow. */
  function failed(error: NodeJS.ErrnoException): void {
    if (error.code === "EPIPE") readerIsGone = error;
    drop(countLines(rest) - settling.reduce((sum, { lines }) => sum + countLines(Buffer.from(lines)), 0));
    rest = Buffer.alloc(0);
    settle(error);
    if (readerIsGone) for (const one of deliveries.splice(0)) one.settle(readerIsGone);
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting || !takeBatch()) return;
    isWriting = true;
    write(fd, rest, (error, bytes) => {
      isWriting = false;
      if (isFull(error)) return schedule(RETRY_MS);
      if (error) failed(error);
      else written(bytes);
      if (rest.length > 0 || deliveries.length > 0 || waiting.length >= FLUSH_AT) start();
      else if (waiting.length > 0) schedule(FLUSH_EVERY_MS);
    });
  }

  function schedule(afterMs: number): void {
    timer ??= setTimeout(start, afterMs).unref();
  }

  /** Returns whether everything is written. */
  function writeNow(): boolean {
    if (isWriting) return false;
    try {
      while (takeBatch()) written(writeSync(fd, rest));
      return true;
    } catch (error) {
      if (isFull(error)) return false;
      failed(error as NodeJS.ErrnoException);
      return true;
    }
  }

  /** The process waits for its threads, so what one of them writes is left to it. */
  finishing.add(() => {
    if (isWriting) rest = Buffer.alloc(0);
    isWriting = false;
    const giveUpAt = performance.now() + LAST_WORDS_MS;
    while (!writeNow() && performance.now() < giveUpAt) pause(RETRY_MS);
  });

  return {
    write(line) {
      if (readerIsGone || waiting.length + rest.length + line.length > MOST_WAITING) return drop(1);
      waiting += line;
      if (sync) {
        if (timer === undefined && !writeNow()) schedule(RETRY_MS);
      } else if (waiting.length >= FLUSH_AT && rest.length === 0) start();
      else if (!isWriting) schedule(FLUSH_EVERY_MS);
    },
    flush: start,
    flushSync: () => void writeNow(),
    deliver: (lines) =>
      new Promise((resolve, reject) => {
        if (readerIsGone) return reject(readerIsGone);
        deliveries.push({ lines, settle: (error) => (error ? reject(error) : resolve()) });
        start();
      }),
  };
}

/**
 * Makes Node's own streams, which sets pipes to non-blocking: a write to a full one then fails instead of holding a
 * thread, for which even the exit would wait. Processes that this one starts share the pipe. A listener for their
 * errors, since what others write to a pipe that nobody reads any more would be an uncaught exception, whose report
 * would be the next one.
 */
function openStandardStreams(): void {
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount("error") === 0) stream.on("error", () => {});
}

const isFull = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === "EAGAIN";

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

const sleeping = new Int32Array(new SharedArrayBuffer(4));
const pause = (ms: number) => Atomics.wait(sleeping, 0, 0, ms);
