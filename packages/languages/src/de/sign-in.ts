import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  continueTo: "um mit {app} fortzufahren",
  welcome: "Willkommen zurück.",
  alreadySignedIn: "Sie sind bereits als {email} angemeldet. Melden Sie sich unten neu an oder gehen Sie zu {account}.",
  yourAccount: "Ihrem Konto",
  email: "E-Mail",
  password: "Passwort",
  keepSignedIn: "Angemeldet bleiben",
  submit: "Anmelden",
  forgotPassword: "Passwort vergessen?",
  or: "oder",
  newHere: "Neu hier?",
  createAccount: "Konto erstellen",
  incorrect: "E-Mail oder Passwort ist falsch.",
  notices: {
    browser_confirmed: "Dieser Browser ist bestätigt. Geben Sie Ihr Passwort ein.",
    password_set: "Ihr Passwort ist festgelegt. Melden Sie sich damit an.",
    password_set_elsewhere:
      "Ihr Passwort ist festgelegt. Kehren Sie zu dem Browser zurück, in dem Sie begonnen haben, und melden Sie sich dort an.",
  },
};
