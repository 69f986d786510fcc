import { createContext, type Principal } from "@gatehouse/api";
import { ABILITIES, mayManage, type StreamReader } from "@gatehouse/operations";
import { json } from "../../../../server/pages/respond.tsx";
import { route, type Visit } from "../../../../server/routing/route.ts";
import { eventStream, type ServerSentEvent } from "../../../../server/streams/event-stream.ts";

/** Webhook deliveries as they arrive, as server-sent events. Resumes after `Last-Event-ID`. `gatehouse tail` reads it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/deliveries/stream", {
  async GET(visit) {
    const { principal, challenge } = await authenticate(visit);
    if (!principal) return error(401, "invalid_token", "Send an access token of a user.", { "www-authenticate": challenge });
    if (!ABILITIES[principal.role].view || !principal.scopes.includes("webhooks:read"))
      return error(403, "insufficient_scope", "This requires the scope webhooks:read and the role admin, developer or viewer.");
    if (visit.request.method === "HEAD") return new Response(null);

    const stream = await visit.app.deliveryStreams.open(readerOf(visit, principal));
    if (!stream) return error(429, "too_many_streams", "Close another stream first.", { "retry-after": "10" });
    const mayGoOn = async () => (await authenticate(visit)).principal !== undefined;
    return eventStream({ events: eventsOf(stream.deliveries), close: stream.close }, mayGoOn);
  },
});

const DELIVERY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const authenticate = ({ request, app, caller }: Visit) => createContext({ request, deps: app.deps, caller });

function readerOf({ url, request }: Visit, principal: Principal): StreamReader {
  const reveals = principal.scopes.includes("webhooks:reveal");
  return {
    userId: principal.userId,
    filter: { provider: url.searchParams.get("provider") ?? undefined, endpoint: url.searchParams.get("endpoint") ?? undefined },
    lastId: DELIVERY_ID.exec(request.headers.get("last-event-id") ?? "")?.[0],
    mayReveal: (environment) => reveals && mayManage(principal, environment),
  };
}

async function* eventsOf(deliveries: AsyncGenerator<{ id: string }>): AsyncGenerator<ServerSentEvent> {
  for await (const delivery of deliveries) yield { id: delivery.id, event: "delivery", data: delivery };
}

function error(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return json({ error: code, message }, { status, headers: { "cache-control": "no-store", ...headers } });
}
