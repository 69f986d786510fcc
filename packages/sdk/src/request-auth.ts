import type { Environment } from "./options.ts";
import type { Session, User } from "./session/session.ts";
import type { VerifiedToken } from "./verify-token/token.ts";

/** Who sent a request, with a session cookie or with an access token: `via` says which. */
export type RequestAuth = SessionAuth | TokenAuth;

/** The signed-in user of a browser. */
export type SessionAuth = Sender & { via: "session"; userId: string; user: User };

/** The client with an access token, for its user or for itself. */
export type TokenAuth = Sender & {
  via: "token";
  /** Null for a client that acts for itself. */
  userId: string | null;
  /** An access token says nothing personal. */
  user: null;
};

type Sender = {
  /** The client of the access token; of a session, this app's own. */
  clientId: string;
  /** An array, so that `includes` compares whole scopes. */
  scope: readonly string[];
  environment: Environment;
  /** How strong the sign-in was, such as `urn:gatehouse:acr:password`. */
  acr: string | null;
  /** When the user signed in, in Unix seconds. */
  authTime: number | null;
};

export function authOfToken({ userId, clientId, scope, environment, acr, authTime }: VerifiedToken): TokenAuth {
  return { via: "token", userId, user: null, clientId, scope, environment, acr, authTime };
}

export function authOfSession({ user, scope, environment, acr, authTime }: Session, clientId: string): SessionAuth {
  return { via: "session", userId: user.id, user, clientId, scope, environment, acr, authTime };
}
