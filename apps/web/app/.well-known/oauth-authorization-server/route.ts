import { authorizationServerMetadata } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/.well-known/oauth-authorization-server",
  ({ request, app, caller }) => authorizationServerMetadata(request, app.deps, caller),
);
