/** Everything that an account can sign in with. */
export type SignInMethods = {
  /**
   * Raised by every removal, so that two removals at the same moment cannot both count on what the other one removes.
   */
  signInEpoch: number;
  password: boolean;
  /** Credential ids of the passkeys that verify their user and belong to the RP ID asked for. */
  passkeys: readonly string[];
  /** Credential ids of the other passkeys of that RP ID: they are second factors only. WA-07. */
  securityKeys: readonly string[];
  /** Ids of the identities whose provider is enabled. */
  identities: readonly string[];
  emailVerified: boolean;
  totp: boolean;
};

export type SignInMethodStore = {
  /** `rpId`: the current RP ID; null while passkeys are off. Undefined if there is no such user. */
  findSignInMethods(userId: string, rpId: string | null): Promise<SignInMethods | undefined>;
};
