/** Every {@link Role}. */
export const ROLES = ["admin", "developer", "viewer", "user"] as const;
/** What a user may do in the console: everything · manage development and staging · read · nothing. */
export type Role = (typeof ROLES)[number];

/** Every {@link Registrar}. */
export const REGISTRARS = ["self", "operator"] as const;
/** Who created an account: the user, on the sign-up page, or an operator, whose word verifies the email address. */
export type Registrar = (typeof REGISTRARS)[number];

/** An account, as the protocol sees it. */
export type User = {
  id: string;
  email: string;
  name: string;
  role: Role;
  disabledAt: number | null;
  /**
   * Copied to each session and grant when it is made. Raising it ends all earlier ones, including those being written.
   */
  accessEpoch: number;
  /** Copied to pending sign-ins, remembered and known browsers and mailed links; raising it ends the earlier ones. */
  signInEpoch: number;
  /** When the user proved the address, or an operator verified it. */
  emailVerifiedAt: number | null;
  /** BCP 47 tag of the chosen language; null when the user chose none. */
  locale: string | null;
};

/** What id tokens, introspection and the guard say about the user of a code or token; null when there is none. */
export type TokenUser =
  | (Pick<User, "email" | "name" | "role" | "emailVerifiedAt" | "locale"> & {
      /** What the URL of the picture ends in; null without a picture. */
      pictureId: string | null;
      /** When name, picture, language or address last changed; null if they never did. */
      profileChangedAt: number | null;
    })
  | null;
