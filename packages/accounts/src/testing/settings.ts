import type { AccountSettings } from "../settings.ts";

/** The settings of an installation at https://gate.example that sets no variable of accounts. */
export const TEST_SETTINGS: AccountSettings = {
  defaultLocale: "en",
  productName: "Gatehouse",
  signUp: "open",
  signUpDomains: [],
  emailVerification: "later",
  deletionGraceDays: 7,
  emailSignIn: false,
  passkeys: { rpId: "gate.example", origin: "https://gate.example", relatedOrigins: [] },
  formerRpIds: [],
};
