import { authorizationServerMetadata } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

/** The document of `/.well-known/oauth-authorization-server`, where many libraries look for it first. RFC 8414 §5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/.well-known/openid-configuration",
  ({ request, app, caller }) => authorizationServerMetadata(request, app.deps, caller),
);
