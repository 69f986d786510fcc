import { receive } from "@gatehouse/webhooks";
import { route } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/api/webhooks/[provider]",
  ({ request, app, caller, params }) => receive(request, String(params["provider"]), app.webhooks, caller),
);
