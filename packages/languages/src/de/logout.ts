import type { Texts } from "../texts.ts";

export const logout: Texts["logout"] = {
  title: "Abmelden?",
  text: "{app} möchte Sie abmelden. Apps, bei denen Sie sich in diesem Browser angemeldet haben, werden benachrichtigt.",
  textWithEmail: "{app} möchte Sie abmelden ({email}). Apps, bei denen Sie sich in diesem Browser angemeldet haben, werden benachrichtigt.",
  anApp: "Eine App",
  stay: "Angemeldet bleiben",
  submit: "Abmelden",
  doneTitle: "Sie sind abgemeldet",
  done: "Ihre Sitzung in diesem Browser ist beendet.",
  unverified: "Wir haben die App, die Sie hierher geschickt hat, nicht geprüft. Fahren Sie nur fort, wenn Sie dieser Website vertrauen.",
  signInAgain: "Wieder anmelden",
  expired: "Die Seite war zu lange geöffnet, oder Sie haben sich neu angemeldet. Es hat sich nichts geändert.",
  tryAgain: "Erneut versuchen",
};
