import { metrics } from "@gatehouse/runtime/metrics";

const encoder = new TextEncoder();
const open = metrics.sseStreams.series();
/** Proxies close connections on which nothing is sent for a minute. */
const HEARTBEAT_MS = 15_000;
/**
 * When a client should come back after the server ended the stream; spread out, so that clients do not all return at
 * once.
 */
const RETRY_MS = { least: 1000, most: 5000 };

export type ServerSentEvent = { id: string; event: string; data: unknown };

export type EventSource = { events: AsyncGenerator<ServerSentEvent>; close(): void };

/**
 * A response with server-sent events; HTML Living Standard §9.2. `isAllowed` is asked from time to time. The stream
 * ends when it resolves to false, when the client leaves, and when `events` ends; `close` is then called.
 */
export function eventStream({ events, close }: EventSource, isAllowed: () => Promise<boolean>): Response {
  let heartbeat: NodeJS.Timeout | undefined;
  let finished = false;
  function end(): void {
    if (!finished) open.add(-1);
    finished = true;
    clearInterval(heartbeat);
    close();
  }

  function finish(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (finished) return;
    end();
    const wait = RETRY_MS.least + Math.floor(Math.random() * (RETRY_MS.most - RETRY_MS.least));
    controller.enqueue(encoder.encode(`retry: ${wait}\n\n`));
    controller.close();
  }

  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      open.add();
      controller.enqueue(encoder.encode(": connected\n\n"));
      heartbeat = setInterval(async () => {
        const allowed = await isAllowed().catch(() => false);
        if (finished) return;
        if (allowed) controller.enqueue(encoder.encode(": still here\n\n"));
        else finish(controller);
      }, HEARTBEAT_MS);
    },
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) finish(controller);
      else
        controller.enqueue(
          encoder.encode(`id: ${value.id}\nevent: ${value.event}\ndata: ${JSON.stringify(value.data)}\n\n`),
        );
    },
    cancel: end,
  });

  return new Response(stream, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
