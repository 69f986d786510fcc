import { showAuthenticator, submitAuthenticator } from "../../../../server/pages/account/security/authenticator.ts";
import { route } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/security/authenticator", {
  GET: showAuthenticator,
  POST: submitAuthenticator,
});
