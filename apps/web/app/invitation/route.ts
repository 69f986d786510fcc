import { takeMailedLink } from "../../server/pages/cookies/mailed-link.ts";
import { showInvitation, submitInvitation } from "../../server/pages/invitation/invitation.tsx";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/invitation", {
  GET: (visit) => takeMailedLink(visit) ?? showInvitation(visit),
  POST: submitInvitation,
});
