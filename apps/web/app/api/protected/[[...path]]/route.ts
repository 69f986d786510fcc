import { isUndated } from "@gatehouse/auth";
import { json } from "../../../../server/pages/responses/respond.ts";
import { route } from "../../../../server/routing/route.ts";

/** An example of a route that requires a session: returns the signed-in user. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/protected/[[...path]]", {
  GET: ({ session: { user, session } }) =>
    json({
      user: { id: user.id, email: user.email, name: user.name, role: user.role },
      signed_in_at: isUndated(session) ? null : session.authTime,
    }),
});
