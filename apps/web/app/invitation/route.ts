import { accept, showInvitation } from "../../server/pages/invited.tsx";
import { takeMailedLink } from "../../server/pages/mailed-link.ts";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/invitation", {
  GET: (visit) => takeMailedLink(visit) ?? showInvitation(visit),
  POST: accept,
});
