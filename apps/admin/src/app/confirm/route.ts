import { signInPath } from "@/auth.ts";
import { seeOther } from "@/session/redirects.ts";

/**
 * A new sign-in, with the second factor that a remembered browser skips. It leaves the whole 10 minutes to fill in a
 * form. SN-03.
 */
const MAX_AGE_SECONDS = 0;

/** GET /confirm: the sign-in in a new tab by which a user confirms who they are. RFC 9470 §4, CO-88. */
export async function GET(): Promise<Response> {
  return seeOther(await signInPath({ returnTo: "/signed-in", maxAge: MAX_AGE_SECONDS }));
}
