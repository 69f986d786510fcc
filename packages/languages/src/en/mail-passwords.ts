export const mailPasswords = {
  resetSubject: (product: string) => `Reset your ${product} password`,
  resetText: "Somebody, hopefully you, asked to reset the password of your account. The button works for 30 minutes, once.",
  resetButton: "Choose a new password",
  noPasswordSubject: (product: string) => `Signing in to ${product}`,
  noPasswordText: "Somebody, hopefully you, asked to reset the password of your account. It has none: you sign in with a passkey.",
  noPasswordRecovery:
    "If you can no longer use your passkey, choose a password with the button below. You also need one of your recovery codes.",
  noPasswordHelp: "If you can no longer use your passkey, ask an administrator for help.",
  changedSubject: (product: string) => `Your ${product} password was changed`,
  changedText: "The password of your account was changed. Your other devices are signed out.",
  resetDoneSubject: (product: string) => `Your ${product} password was reset`,
  resetDoneText: "The password of your account was reset by email. All devices are signed out and all apps are disconnected.",
  browserSubject: (code: string) => `${code} is your sign-in code`,
  browserText:
    "There were many wrong passwords for your account. To sign in with your password in a new browser, type this code there. It works for 10 minutes.",
};
