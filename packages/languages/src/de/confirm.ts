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
  passkeyText: "Sie sind als {email} angemeldet. Bestätigen Sie mit Ihrem Passkey, dass Sie es sind.",
  elsewhere:
    "Ihr Passkey ist auf einem anderen Gerät? Drücken Sie die Schaltfläche und wählen Sie dann im Fenster Ihres Browsers ein Smartphone oder ein anderes Gerät. Oder nehmen Sie die Änderung auf einem Gerät vor, das Ihren Passkey hat.",
  lost: "Sie haben keine Wiederherstellungscodes. Wenn Sie Ihren Passkey verloren haben, wenden Sie sich an die Administration.",
};
