import type { Texts } from "../texts.ts";

export const signUp: Texts["signUp"] = {
  title: "Konto erstellen",
  continueTo: "um mit {app} fortzufahren",
  welcome: "Das dauert nur eine Minute.",
  name: "Name",
  email: "E-Mail",
  password: "Passwort",
  passwordRule: "Mindestens 15 Zeichen. Ein paar zufällige Wörter eignen sich gut.",
  submit: "Konto erstellen",
  haveAccount: "Sie haben schon ein Konto?",
  signIn: "Anmelden",
  emailInvalid: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  emailRefused: "Mit dieser E-Mail-Adresse können Sie kein Konto erstellen. Versuchen Sie, sich anzumelden.",
  nameInvalid: "Geben Sie einen Namen mit höchstens 80 Zeichen in einer Zeile ein.",
  emailDomain:
    "Mit einer E-Mail-Adresse dieser Domain können Sie kein Konto erstellen. Verwenden Sie eine andere oder bitten Sie um eine Einladung.",
  closedTitle: "Registrierung geschlossen",
  closed: "Um hier ein Konto zu erstellen, brauchen Sie eine Einladung.",
};
