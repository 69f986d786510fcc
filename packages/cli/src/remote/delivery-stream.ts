import { setTimeout as pause } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import type { RemoteSession } from "./sign-in.ts";

/** One delivery of the stream. `body` is base64; null if this user may not read it, or it has been deleted. */
const delivery = z.object({
  id: z.string(),
  endpoint: z.string(),
  provider: z.string(),
  environment: z.string(),
  outcome: z.enum(["accepted", "duplicate", "rejected"]),
  reason: z.string(),
  receivedAt: z.number(),
  eventType: z.string().nullable(),
  eventId: z.string().nullable(),
  /** The `webhook-id` of the event where the server forwards it; older servers send none. */
  messageId: z.string().nullish(),
  contentType: z.string().nullable(),
  body: z.base64().nullable(),
});
export type StreamedDelivery = z.output<typeof delivery>;

export type StreamFilter = { provider?: string | undefined; endpoint?: string | undefined };

type Options = {
  server: string;
  session: RemoteSession;
  filter: StreamFilter;
  /**
   * Called each time the server has accepted the connection: later deliveries are not missed. `hidden` are the
   * environments whose bodies need a sign-in within the last 10 minutes.
   */
  onConnected: (hidden: readonly string[]) => void;
  /** Called when the connection is lost, with what happened and the seconds until the next attempt. */
  onRetry: (problem: string, seconds: number) => void;
  signal: AbortSignal;
};

const FIRST_RETRY_SECONDS = 1;
const MAX_RETRY_SECONDS = 30;

/**
 * Yields each delivery that the server receives from now on, once, until `signal` aborts. Reconnects by itself and
 * resumes after the last delivery. Throws if the server refuses this user.
 */
export async function* streamDeliveries({
  server,
  session,
  filter,
  onConnected,
  onRetry,
  signal,
}: Options): AsyncGenerator<StreamedDelivery> {
  const seen = new RecentIds();
  let lastId: string | undefined;
  let wait = FIRST_RETRY_SECONDS;
  while (!signal.aborted) {
    let problem = "the server closed the stream";
    try {
      const { messages, hidden } = await connect(server, session, filter, lastId, signal);
      onConnected(hidden);
      for await (const { id, data } of messages) {
        wait = FIRST_RETRY_SECONDS;
        lastId = id;
        if (data !== undefined && seen.add(data.id)) yield data;
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof RefusedError) throw cause;
      problem = cause instanceof Error ? cause.message : String(cause);
    }
    if (signal.aborted) return;
    onRetry(problem, wait);
    await pause(wait * 1000, undefined, { signal }).catch(() => {}); // rejects only when the signal aborts
    wait = Math.min(wait * 2, MAX_RETRY_SECONDS);
  }
}

/** The server does not let this user read the stream. Trying again does not help. */
class RefusedError extends Error {}

type Message = { id: string; data: StreamedDelivery | undefined };

async function connect(
  server: string,
  session: RemoteSession,
  filter: StreamFilter,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<{ messages: AsyncIterable<Message>; hidden: string[] }> {
  const url = new URL("/api/deliveries/stream", server);
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) url.searchParams.set(name, value);
  const headers: Record<string, string> = {
    authorization: `Bearer ${await session.accessToken()}`,
    accept: "text/event-stream",
  };
  if (lastId !== undefined) headers["last-event-id"] = lastId;

  const response = await fetch(url, { headers, signal });
  if (response.status === 401) {
    session.reject();
    throw new Error("the access token is no longer valid");
  }
  if (response.status === 403)
    throw new RefusedError("Your role may not read deliveries. Ask an admin for the role developer or viewer.");
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  const hidden = (response.headers.get("gatehouse-needs-fresh-sign-in") ?? "").split(" ").filter((name) => name !== "");
  return { messages: messagesOf(response.body), hidden };
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const events = body.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream());
  for await (const event of events as unknown as AsyncIterable<{ id?: string; event?: string; data: string }>) {
    if (event.id === undefined) continue;
    yield { id: event.id, data: event.event === "delivery" ? delivery.parse(JSON.parse(event.data)) : undefined };
  }
}

/** After a reconnection the server repeats a few seconds, so that nothing is missed. */
class RecentIds {
  #ids = new Set<string>();

  /** False if the id was added before. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > 10_000) this.#ids.delete(this.#ids.values().next().value ?? "");
    return true;
  }
}
