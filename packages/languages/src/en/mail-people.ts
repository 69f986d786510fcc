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
  passwordText: "An administrator asks you to choose a new password. You will be asked for it the next time you sign in.",
  setSubject: (product: string) => `Your ${product} password was changed`,
  setText: "An administrator set a new password for your account and signed you out on all devices.",
  firstSubject: (product: string) => `Your ${product} account has a password now`,
  firstText: "An administrator added a password to your account. You can now sign in with it.",
  testSubject: (product: string) => `A test mail from ${product}`,
  testText: (product: string) => `Email from ${product} is working. You sent this test from the console.`,
  questions: "If you didn't expect this, contact your administrator.",
};
