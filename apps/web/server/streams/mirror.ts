import { setTimeout as pause } from "node:timers/promises";
import { isProbe } from "@gatehouse/console/doctor/probe";
import { json } from "../pages/responses/respond.ts";
import type { Visit } from "../routing/visit.ts";
import { eventStream, type ServerSentEvent } from "./event-stream.ts";

/** The doctor tells by it whether a proxy held the first event back. */
const BETWEEN_EVENTS_MS = 1_000;

/**
 * What this server sees of a request, as one event, and the same a second later: `gatehouse doctor proxy` learns from it
 * what a proxy does to addresses and streams. Needs the doctor's proof, which only this installation can make; 404
 * without.
 */
export function mirrorRequest({ request, caller, app }: Visit): Response {
  if (!isProbe(request.headers, app.deps)) return json({ error: "not_found" }, { status: 404 });
  if (request.method === "HEAD") return new Response(null);
  const gone = new AbortController();
  const seen = { address: caller.address, requestId: caller.requestId ?? null };
  return eventStream({ events: twice(seen, gone.signal), close: () => gone.abort() }, async () => true);
}

async function* twice(data: unknown, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  yield { id: "1", event: "request", data };
  try {
    await pause(BETWEEN_EVENTS_MS, undefined, { signal });
  } catch {
    return; // the caller left
  }
  yield { id: "2", event: "request", data };
}
