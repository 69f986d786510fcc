import type { Texts } from "../texts.ts";

export const confirm: Texts["confirm"] = {
  title: "Bestätigen Sie, dass Sie es sind",
  password: "Passwort",
  submit: "Weiter",
  incorrect: "Falsches Passwort.",
  doneTitle: "Danke, Sie sind es",
  done: "Fahren Sie fort, um die gewünschte Änderung vorzunehmen.",
  text: "Sie sind als {email} angemeldet. Bestätigen Sie, dass Sie es sind.",
  code: "Code aus Ihrer Authenticator-App oder Wiederherstellungscode",
  other: "Anders bestätigen",
  incorrectCode: "Falscher Code.",
};
