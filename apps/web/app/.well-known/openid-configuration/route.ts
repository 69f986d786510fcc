import { authorizationServerMetadata } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

/** Many libraries look here first. The same document as RFC 8414 metadata (§5). */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/.well-known/openid-configuration", ({ request, app, caller }) =>
  authorizationServerMetadata(request, app.deps, caller),
);
