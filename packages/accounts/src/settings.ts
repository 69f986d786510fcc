import type { PasskeySettings } from "./passkeys/settings.ts";

/** Every {@link SignUpMode}. */
export const SIGN_UP_MODES = ["open", "invited", "closed"] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** How people sign up and sign in, from the environment. Each part adds its own. */
export type AccountSettings = {
  /** The language of mails to people who have not chosen one. LG-03. */
  defaultLocale: string;
  /** The name that people know the installation by. */
  productName: string;
  /** Who can create an account: anybody, only people with an invitation, or only operators. RG-01. */
  signUp: SignUpMode;
  /** The only domains of people who were not invited, in IDNA ASCII; empty for all. RG-01. */
  signUpDomains: readonly string[];
  /** Whether an address is proved before the account exists, or later. RG-02. */
  emailVerification: "first" | "later";
  /** How long a deleted account can be restored, in days. RG-10. */
  deletionGraceDays: number;
  /** Whether a code mailed to the account's address is a first factor. ML-01. */
  emailSignIn: boolean;
  /** Null where the issuer is an IP address. */
  passkeys: PasskeySettings | null;
  /** RP IDs of the past, whose passkeys the operator knows to be lost. WA-01. */
  formerRpIds: readonly string[];
};
