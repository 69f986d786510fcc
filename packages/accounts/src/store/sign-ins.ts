import type { NewSession } from "@gatehouse/auth";
import type { AccountRecord } from "./account-record.ts";
import type { IdentityConnection } from "./identities.ts";

export type SignInStore = {
  /**
   * Writes a session with what belongs to its sign-in, in one transaction. `previousId`: of the session of the same
   * user that it replaces. `connection`: an identity to connect in that transaction. If it belongs to anybody already,
   * or the user's `signInEpoch` has changed, the session is written without it.
   */
  saveSignIn(
    session: NewSession,
    previousId: string | undefined,
    also: AccountRecord,
    connection?: IdentityConnection,
  ): Promise<void>;
};
