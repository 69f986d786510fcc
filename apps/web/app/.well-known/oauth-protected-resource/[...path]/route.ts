import { registeredResourceMetadata } from "@gatehouse/auth";
import { route } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/.well-known/oauth-protected-resource/[...path]",
  ({ request, app, caller }) => registeredResourceMetadata(request, app.deps, caller),
);
