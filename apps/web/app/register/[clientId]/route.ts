import { manageRegistration } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/register/[clientId]",
  ({ request, app, caller, params }) => manageRegistration(request, String(params["clientId"]), app.deps, caller),
);
