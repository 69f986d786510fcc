import { json } from "../../../../server/pages/respond.tsx";
import { route } from "../../../../server/routing/route.ts";

/** An example of a route behind the guard: it says who you are. Put your own beside it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/protected/[[...path]]", {
  GET: ({ session: { user, session } }) =>
    json({ user: { id: user.id, email: user.email, name: user.name, role: user.role }, signed_in_at: session.authTime }),
});
