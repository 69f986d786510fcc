import { deviceAuthorization } from "@gatehouse/auth";
import { route } from "../../server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/device_authorization", ({ request, app, caller }) =>
  deviceAuthorization(request, app.deps, caller),
);
