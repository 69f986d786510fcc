import { showSessions, submitSessions } from "../../../server/pages/account/sessions.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/sessions", {
  GET: showSessions,
  POST: submitSessions,
});
