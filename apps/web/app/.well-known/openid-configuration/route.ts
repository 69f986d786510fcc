import { authorizationServerMetadata } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

/** Where many libraries look first. The same document: what is not in it (id tokens, userinfo) is not offered. RFC 8414 §5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/.well-known/openid-configuration", ({ request, app, caller }) =>
  authorizationServerMetadata(request, app.deps, caller),
);
