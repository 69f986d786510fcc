import { protectedResourceMetadata } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/.well-known/oauth-protected-resource",
  ({ request, app, caller }) => protectedResourceMetadata(request, app.deps, caller),
);
