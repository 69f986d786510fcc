import { deviceAuthorization, OAuthError } from "@gatehouse/auth";
import { route } from "../../server/routing/route.ts";

/** Public clients start here without authentication, and each start writes a row, so starts are limited per address. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  "/device_authorization",
  async ({ request, app, caller }) => {
    const waitSeconds = request.method === "POST" ? await app.deviceAttempts.start(caller).begin() : 0;
    if (waitSeconds === 0) return deviceAuthorization(request, app.deps, caller);
    throw new OAuthError("temporarily_unavailable", "rate_limited", "too many device flows started from this address", {
      description: "Too many requests. Try again later.",
      status: 429,
      headers: { "Retry-After": String(waitSeconds) },
    });
  },
);
