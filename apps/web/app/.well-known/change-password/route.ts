import { seeOther } from "../../../server/pages/responses/respond.ts";
import { route } from "../../../server/routing/route.ts";

/**
 * Where password managers send a user to change a password. W3C, “A Well-Known URL for Changing Passwords” §2; PW-08.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/.well-known/change-password", {
  GET: () => seeOther("/account/password"),
});
