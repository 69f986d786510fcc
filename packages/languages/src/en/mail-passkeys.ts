export const mailPasskeys = {
  addedSubject: "A passkey was added to your account",
  added: "A passkey was added to your account. It can be used to sign in.",
  removedSubject: "A passkey was removed from your account",
  removed: "A passkey was removed from your account. It can't be used to sign in any more.",
  clonedSubject: "We blocked a sign-in with one of your passkeys",
  cloned: "A sign-in with one of your passkeys was blocked: its security key may have been copied.",
  clonedAdvice: "Remove this passkey on your security page, and add a new one with a security key that you trust.",
};
