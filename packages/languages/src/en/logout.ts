export const logout = {
  title: "Sign out?",
  text: "{app} wants to sign you out. Apps that you signed in to in this browser will be notified.",
  textWithEmail: "{app} wants to sign you out ({email}). Apps that you signed in to in this browser will be notified.",
  anApp: "An app",
  stay: "Stay signed in",
  submit: "Sign out",
  doneTitle: "You're signed out",
  done: "Your session in this browser has ended.",
  unverified: "We haven't verified the app that sent you here. Continue only if you trust this site.",
  signInAgain: "Sign in again",
  expired: "The page was open for too long, or you signed in again. Nothing has changed.",
  tryAgain: "Try again",
};
