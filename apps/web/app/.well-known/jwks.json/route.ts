import { jwks } from "@gatehouse/auth";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/.well-known/jwks.json",
  ({ request, app, caller }) => jwks(request, app.deps, caller),
);
