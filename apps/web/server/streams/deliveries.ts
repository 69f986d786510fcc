import { missingLevel } from "@gatehouse/auth";
import { authorOf, freshSince } from "@gatehouse/console/author";
import { insufficientAuthentication } from "@gatehouse/console/challenge";
import { createContext, type Principal } from "@gatehouse/console/context";
import { bodiesFor, recordTail, type StreamReader } from "@gatehouse/console/deliveries/stream/stream";
import { WEAK_SIGN_IN } from "@gatehouse/console/errors";
import { ABILITIES, type Author } from "@gatehouse/console/permissions";
import { json } from "../pages/responses/respond.ts";
import type { Visit } from "../routing/visit.ts";
import { eventStream, type ServerSentEvent } from "./event-stream.ts";

/**
 * Webhook deliveries as they arrive, as server-sent events. Resumes after `Last-Event-ID`. `gatehouse tail` reads it.
 */
export async function streamDeliveries(visit: Visit): Promise<Response> {
  const caller = await authorise(visit);
  if (caller instanceof Response) return caller;
  if (visit.request.method === "HEAD") return new Response(null);

  const { revealed, stale } = bodiesOf(visit, caller);
  const reader = readerOf(visit, caller.author, revealed);
  const stream = await visit.app.deliveryStreams.open(reader);
  if (!stream) return error(429, "too_many_streams", "Close another stream first.", { "retry-after": "10" });
  try {
    if (revealed.length > 0) await recordTail(caller.author, reader, visit.app.deps);
  } catch (thrown) {
    stream.close();
    throw thrown;
  }
  // A reader whose rights changed, or whose sign-in is no longer fresh, has to open another stream.
  const mayGoOn = async () => {
    const now = await authorise(visit);
    return (
      !(now instanceof Response) && revealed.every((environment) => bodiesOf(visit, now).revealed.includes(environment))
    );
  };
  const response = eventStream({ events: eventsOf(stream.deliveries), close: stream.close }, mayGoOn);
  if (stale.length > 0) response.headers.set(STALE_HEADER, stale.join(" "));
  return response;
}

const DELIVERY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type StreamCaller = { author: Author; scopes: Principal["scopes"] };

/** The caller, or why the caller may not read the stream. MF-10: this is data of the console. */
async function authorise({ request, app: { deps }, caller }: Visit): Promise<StreamCaller | Response> {
  const { principal, challenge, request: source } = await createContext({ request, deps, caller, alsoAccepts: [] });
  if (!principal)
    return error(401, "invalid_token", "Send an access token of a user.", { "www-authenticate": challenge });
  if (!ABILITIES[principal.role].view || !principal.scopes.includes("webhooks:read"))
    return error(
      403,
      "insufficient_scope",
      "This requires the scope webhooks:read and the role admin, developer or viewer.",
    );
  const level = missingLevel(principal, deps.config);
  if (level === undefined)
    return { author: authorOf(principal, source, await freshSince(principal, deps)), scopes: principal.scopes };
  const headers = { "www-authenticate": insufficientAuthentication({ acr: level }, deps.config) };
  return error(401, "insufficient_user_authentication", WEAK_SIGN_IN, headers);
}

/** Names the environments whose bodies the reader gets after signing in again. `gatehouse tail` says so. */
const STALE_HEADER = "gatehouse-needs-fresh-sign-in";

function bodiesOf({ app: { deps } }: Visit, { author, scopes }: StreamCaller) {
  return scopes.includes("webhooks:reveal") ? bodiesFor(author, deps.now()) : { revealed: [], stale: [] };
}

function readerOf({ url, request }: Visit, { id: userId }: Author, revealed: StreamReader["revealed"]): StreamReader {
  return {
    userId,
    filter: {
      provider: url.searchParams.get("provider") ?? undefined,
      endpoint: url.searchParams.get("endpoint") ?? undefined,
    },
    lastId: DELIVERY_ID.exec(request.headers.get("last-event-id") ?? "")?.[0],
    revealed,
  };
}

async function* eventsOf(deliveries: AsyncGenerator<{ id: string }>): AsyncGenerator<ServerSentEvent> {
  for await (const delivery of deliveries) yield { id: delivery.id, event: "delivery", data: delivery };
}

function error(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return json({ error: code, message }, { status, headers: { "cache-control": "no-store", ...headers } });
}
