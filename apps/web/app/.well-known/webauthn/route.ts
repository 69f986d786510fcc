import { notFound } from "../../../server/pages/responses/errors.tsx";
import { json } from "../../../server/pages/responses/respond.ts";
import { route } from "../../../server/routing/route.ts";

/** Other origins that may use passkeys of this RP ID. WebAuthn L3 §5.11; WA-02. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/.well-known/webauthn", {
  GET: (visit) => {
    const origins = visit.app.deps.accounts.passkeys?.relatedOrigins ?? [];
    return origins.length > 0 ? json({ origins }) : notFound(visit);
  },
});
