import { plural } from "../amounts.ts";

/** The frame of every mail, and of notices. */
export const mailFrame = {
  footer: (product: string, issuer: string) =>
    `${product} sent this automatically from ${issuer}. Replies aren't read.`,
  copyLink: "Or copy this link into your browser:",
  ignore: "If you didn't ask for this, you can ignore this email.",
  time: "Time",
  device: "Device",
  address: "IP address",
  unknown: "Unknown",
  notYou: "If this was you, there's nothing to do. If it wasn't, review your account's security now.",
  reviewSecurity: "Review security",
};

export const mailRegistration = {
  codeSubject: (product: string) => `Your code for ${product}`,
  typeCode: "Type this code in the window where you created your account. It works for 10 minutes:",
  orOpen: "Or open this link within 24 hours.",
  confirmAddress: "Confirm your email address",
  takenSubject: (product: string) => `You already have an account with ${product}`,
  taken:
    "Somebody tried to create an account with this email address. You already have one, so nothing was created. Sign in instead. If you forgot your password, you can reset it on the sign-in page.",
  signIn: "Sign in",
  verifySubject: (product: string) => `Verify your email address for ${product}`,
  typeVerifyCode: "Type this code on the page where you asked for it. It works for 10 minutes:",
  verify: "Verify email address",
  invitationSubject: (product: string) => `You're invited to ${product}`,
  invitation: (product: string) =>
    `You're invited to create an account with ${product}. The invitation works once, for 7 days.`,
  invitationBy: (inviter: string, product: string) =>
    `${inviter} invited you to create an account with ${product}. The invitation works once, for 7 days.`,
  accept: "Accept invitation",
  invitationIgnore: "If you don't know who invited you, ignore this email.",
  changeSubject: (product: string) => `Confirm your new email address for ${product}`,
  typeChangeCode: "Type this code on the page where you changed your email address. It works for 10 minutes:",
  changeOrOpen:
    "Or open this link within 24 hours, in a browser where you're signed in. Until then your account keeps its old address.",
  changeRequestedSubject: "Your email address is about to change",
  changeRequested:
    "Somebody who is signed in to your account asked to change its email address. It changes when the new address is confirmed. To stop it, change your password.",
  changedSubject: "Your email address was changed",
  changed: "The email address of your account was changed. From now on, sign in with the new address.",
  undoText:
    "If this wasn't you, undo it within 72 hours: your old address is restored, every device is signed out, and you choose a new password.",
  undo: "Undo the change",
  undoneSubject: "The change of your email address was undone",
  undone:
    "The change of your account's email address was undone. The earlier address applies again, and every device is signed out.",
  deletionSubject: "Your account will be deleted",
  deletion: (when: string) =>
    `Your account was marked for deletion, and every device is signed out. It's deleted for good on ${when}.`,
  deletedSubject: "Your account was deleted",
  deleted: "Your account and everything in it was deleted.",
  restoreText: "To keep it, sign in before then and choose Restore.",
  restoredSubject: "Your account was restored",
  restored: "Your account is no longer marked for deletion. Sign in to use it.",
};

export const mailSignIn = {
  subject: (product: string) => `Your sign-in code for ${product}`,
  typeCode: "Type this code in the window where you asked for it:",
  orOpen: "Or open this link in the same browser. Both work once, for 10 minutes.",
  signIn: "Sign in",
};

export const mailPasswords = {
  resetSubject: (product: string) => `Reset your ${product} password`,
  resetText:
    "Somebody, hopefully you, asked to reset the password of your account. The button works for 30 minutes, once.",
  resetButton: "Choose a new password",
  noPasswordSubject: (product: string) => `Signing in to ${product}`,
  noPasswordText:
    "Somebody, hopefully you, asked to reset the password of your account. It has none: you sign in with a passkey.",
  noPasswordRecovery:
    "If you can no longer use your passkey, choose a password with the button below. You also need one of your recovery codes.",
  noPasswordHelp: "If you can no longer use your passkey, ask an administrator for help.",
  changedSubject: (product: string) => `Your ${product} password was changed`,
  changedText: "The password of your account was changed. Your other devices are signed out.",
  resetDoneSubject: (product: string) => `Your ${product} password was reset`,
  resetDoneText:
    "The password of your account was reset by email. All devices are signed out and all apps are disconnected.",
  browserSubject: (code: string) => `${code} is your sign-in code`,
  browserText:
    "There were many wrong passwords for your account. To sign in with your password in a new browser, type this code there. It works for 10 minutes.",
};

export const mailPasskeys = {
  addedSubject: "A passkey was added to your account",
  added: "A passkey was added to your account. It can be used to sign in.",
  removedSubject: "A passkey was removed from your account",
  removed: "A passkey was removed from your account. It can't be used to sign in any more.",
  clonedSubject: "We blocked a sign-in with one of your passkeys",
  cloned: "A sign-in with one of your passkeys was blocked: its security key may have been copied.",
  clonedAdvice: "Remove this passkey on your security page, and add a new one with a security key that you trust.",
};

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
      plural(left, "en", {
        one: `You have ${left} recovery code left.`,
        other: `You have ${left} recovery codes left.`,
      }),
  },
  new_sign_in: {
    subject: (product: string) => `New sign-in to ${product}`,
    happened: "Somebody signed in to your account from a browser that we haven't seen before.",
  },
};

export const mailUpstream = {
  linkedSubject: (provider: string) => `${provider} was connected to your account`,
  linked: (provider: string, product: string) =>
    `${provider} can now be used to sign in to your account at ${product}.`,
  removedSubject: (provider: string) => `${provider} was removed from your account`,
  removed: (provider: string, product: string) =>
    `${provider} can no longer be used to sign in to your account at ${product}.`,
};

/** Mails about what an administrator did to an account. */
export const mailPeople = {
  roles: { admin: "Admin", developer: "Developer", viewer: "Viewer", user: "User" },
  roleSubject: (product: string) => `Your role in ${product} has changed`,
  roleText: (role: string) => `An administrator changed your role. It is now ${role}.`,
  disabledSubject: (product: string) => `Your ${product} account has been disabled`,
  disabledText: "An administrator disabled your account. You can't sign in, and you were signed out on all devices.",
  factorsSubject: (product: string) => `Your two-step verification in ${product} has been reset`,
  factorsText:
    "An administrator removed your authenticator app, your recovery codes and the passkeys beside your password, and signed you out on all devices. You can set up new ones after you sign in.",
  passwordSubject: (product: string) => `Choose a new password for ${product}`,
  passwordText:
    "An administrator asks you to choose a new password. You will be asked for it the next time you sign in.",
  setSubject: (product: string) => `Your ${product} password was changed`,
  setText: "An administrator set a new password for your account and signed you out on all devices.",
  firstSubject: (product: string) => `Your ${product} account has a password now`,
  firstText: "An administrator added a password to your account. You can now sign in with it.",
  testSubject: (product: string) => `A test mail from ${product}`,
  testText: (product: string) => `Email from ${product} is working. You sent this test from the console.`,
  questions: "If you didn't expect this, contact your administrator.",
};
