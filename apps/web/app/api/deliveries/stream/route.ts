import { route } from "../../../../server/routing/route.ts";
import { streamDeliveries } from "../../../../server/streams/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/deliveries/stream", {
  GET: streamDeliveries,
});
