import type { NewSession } from "@gatehouse/auth";
import type { Also } from "./also.ts";

export type SignInStore = {
  /** Writes a session with what belongs to its sign-in, in one transaction. `previousId`: of the session of the same user that it replaces. */
  saveSignIn(session: NewSession, previousId: string | undefined, also: Also): Promise<void>;
};
