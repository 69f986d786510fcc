import { submitIdentity } from "../../../server/pages/account/security/identities.ts";
import { seeOther } from "../../../server/pages/responses/respond.ts";
import { route } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/identities", {
  // After a confirmation, the browser may come back with a GET.
  GET: () => seeOther("/account/security"),
  POST: submitIdentity,
});
