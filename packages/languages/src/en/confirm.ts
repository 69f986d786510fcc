export const confirm = {
  title: "Confirm it's you",
  password: "Password",
  submit: "Continue",
  incorrect: "Incorrect password.",
  doneTitle: "You're confirmed",
  done: "Continue to finish your change.",
  text: "You're signed in as {email}. Confirm it's you to continue.",
  code: "Code from your authenticator app, or a recovery code",
  other: "Confirm another way",
  incorrectCode: "Incorrect code.",
  passkeyText: "You're signed in as {email}. Confirm it's you with your passkey to continue.",
  elsewhere:
    "Is your passkey on another device? Press the button, then choose a phone or another device in your browser's window. Or make this change on a device that has your passkey.",
  lost: "You have no recovery codes. If you lost your passkey, ask an administrator for help.",
};
