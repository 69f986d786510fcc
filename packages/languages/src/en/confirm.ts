export const confirm = {
  title: "Confirm it's you",
  password: "Password",
  submit: "Continue",
  incorrect: "Incorrect password.",
  doneTitle: "Thanks, it's you",
  done: "Continue to make the change that you asked for.",
  text: "You're signed in as {email}. Confirm it's you to continue.",
  code: "Code from your authenticator app, or a recovery code",
  other: "Confirm another way",
  incorrectCode: "Incorrect code.",
};
