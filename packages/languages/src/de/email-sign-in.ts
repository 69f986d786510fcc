import type { Texts } from "../texts.ts";

export const emailSignIn: Texts["emailSignIn"] = {
  button: "Code per E-Mail senden",
  title: "Sehen Sie in Ihr Postfach",
  sent: "Falls es ein Konto für {email} gibt, haben wir einen Code dorthin gesendet. Er gilt 10 Minuten.",
  code: "Code",
  continue: "Weiter",
  again: "Neuen Code senden",
  otherWay: "Anders anmelden",
  wrongCode: "Der Code ist falsch oder abgelaufen. Sehen Sie in der neuesten E-Mail nach oder fordern Sie einen neuen Code an.",
  enterEmail: "Geben Sie zuerst Ihre E-Mail-Adresse ein.",
  linkTitle: "Anmelden",
  linkText: "Weiter, um sich als {email} anzumelden.",
  signIn: "Anmelden",
  elsewhereTitle: "Geben Sie den Code im ersten Fenster ein",
  elsewhere: "Dieser Link funktioniert nur in dem Browser, in dem Sie ihn angefordert haben. Geben Sie dort den Code aus der E-Mail ein.",
  expiredTitle: "Dieser Link ist abgelaufen",
  expired: "Links gelten einmal, 10 Minuten lang, und nur der neueste funktioniert.",
  startAgain: "Zur Anmeldung",
};
