import type { Texts } from "../texts.ts";

export const newBrowser: Texts["newBrowser"] = {
  title: "Diesen Browser bestätigen",
  text: "Für {email} wurden viele falsche Passwörter eingegeben. Bevor Sie sich hier mit Ihrem Passwort anmelden, geben Sie einen Code aus einer E-Mail ein.",
  send: "Code senden",
};
