import type { Worker } from "node:worker_threads";
import type { ReadAnswer, ReadRequest } from "./read-thread.ts";

export type ThreadReader = {
  /** Runs a statement on the thread; returns its rows, columns in order. */
  run(sql: string, params: unknown[]): Promise<unknown[][]>;
  /** Ends the thread; pending reads are rejected. */
  close(): Promise<void>;
};

type Pending = {
  request: ReadRequest;
  resolve: (rows: unknown[][]) => void;
  reject: (cause: Error) => void;
  retried: boolean;
};

/**
 * Sends reads to a thread that runs {@link answerReads}, started by the first read. If it ends unexpectedly, pending
 * reads are sent to a new thread, and are rejected if that one ends too.
 */
export function createThreadReader(start: () => Worker): ThreadReader {
  const pending = new Map<number, Pending>();
  let thread: Worker | undefined;
  let lastId = 0;
  let closed = false;

  function startThread(): Worker {
    const started = start();
    started.unref();
    started.on("message", (answer: ReadAnswer) => settle(answer));
    started.once("error", (cause) => replace(started, cause));
    started.once("exit", (code) =>
      replace(started, new Error(`the thread for the console's reads ended with code ${code}`)),
    );
    return started;
  }

  function send(one: Pending): void {
    thread ??= startThread();
    thread.postMessage(one.request);
  }

  function settle(answer: ReadAnswer): void {
    const one = pending.get(answer.id);
    pending.delete(answer.id);
    if ("rows" in answer) one?.resolve(answer.rows);
    else one?.reject(Object.assign(new Error(answer.error), { code: answer.code }));
  }

  function replace(ended: Worker, cause: Error): void {
    if (thread !== ended) return;
    thread = undefined;
    for (const [id, one] of pending) {
      if (closed || one.retried) {
        pending.delete(id);
        one.reject(cause);
      } else {
        one.retried = true;
        send(one);
      }
    }
  }

  return {
    run(sql, params) {
      if (closed) return Promise.reject(new Error("the database is closed"));
      return new Promise((resolve, reject) => {
        lastId += 1;
        const one: Pending = { request: { id: lastId, sql, params }, resolve, reject, retried: false };
        pending.set(lastId, one);
        send(one);
      });
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
