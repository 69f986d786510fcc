import { plural } from "../amounts.ts";

export const mailFactors = {
  totp_on: {
    subject: (product: string) => `Two-step verification is on for ${product}`,
    happened: "An authenticator app was set up for your account. Every sign-in with your password now asks for a code.",
  },
  totp_off: {
    subject: (product: string) => `Your authenticator app was removed from ${product}`,
    happened: "The authenticator app was removed from your account.",
  },
  recovery_codes_made: {
    subject: (product: string) => `New recovery codes for ${product}`,
    happened: "New recovery codes were made for your account. The earlier ones no longer work.",
  },
  recovery_code_used: {
    subject: (product: string) => `A recovery code was used for ${product}`,
    happened: "Somebody signed in to your account with a recovery code.",
    left: (left: number) =>
      plural(left, "en", { one: `You have ${left} recovery code left.`, other: `You have ${left} recovery codes left.` }),
  },
  new_sign_in: {
    subject: (product: string) => `New sign-in to ${product}`,
    happened: "Somebody signed in to your account from a browser that we haven't seen before.",
  },
};
