import type { Environment } from "../options.ts";

/** The signed-in user, as of the last sign-in or renewal. Identify users by `id`: the address can change. */
export type User = {
  /** `sub`: the same for every client, and permanent. */
  id: string;
  /** Null without the scope `profile`, or if the client's ID tokens have no personal claims. */
  name: string | null;
  /** Null without the scope `email`, or if the client's ID tokens have no personal claims. */
  email: string | null;
};

/** What an app may know about its signed-in user. Holds no token. */
export type Session = {
  user: User;
  /** An array, so that `includes` compares whole scopes. */
  scope: readonly string[];
  environment: Environment;
  /** How strong the sign-in was, such as `urn:gatehouse:acr:password`. */
  acr: string | null;
  /** When the user signed in, in Unix seconds; null if a sign-in provider did not say. */
  authTime: number | null;
};

/** What `auth()` returns. */
export type Auth = Session | { user: null };
