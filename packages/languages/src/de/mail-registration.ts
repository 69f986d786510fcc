import type { Texts } from "../texts.ts";

export const mailRegistration: Texts["mailRegistration"] = {
  codeSubject: (product) => `Ihr Code für ${product}`,
  typeCode: "Geben Sie diesen Code in dem Fenster ein, in dem Sie Ihr Konto erstellt haben. Er gilt 10 Minuten:",
  orOpen: "Oder öffnen Sie diesen Link innerhalb von 24 Stunden.",
  confirmAddress: "E-Mail-Adresse bestätigen",
  takenSubject: (product) => `Sie haben bereits ein Konto bei ${product}`,
  taken:
    "Jemand wollte mit dieser E-Mail-Adresse ein Konto erstellen. Sie haben schon eines, deshalb wurde nichts angelegt. Melden Sie sich stattdessen an. Wenn Sie Ihr Passwort vergessen haben, können Sie es auf der Anmeldeseite zurücksetzen.",
  signIn: "Anmelden",
  verifySubject: (product) => `Bestätigen Sie Ihre E-Mail-Adresse für ${product}`,
  typeVerifyCode: "Geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt 10 Minuten:",
  verify: "E-Mail-Adresse bestätigen",
  invitationSubject: (product) => `Einladung zu ${product}`,
  invitation: (product) => `Sie sind eingeladen, ein Konto bei ${product} zu erstellen. Die Einladung gilt einmal, 7 Tage lang.`,
  accept: "Einladung annehmen",
  invitationIgnore: "Wenn Sie nicht wissen, wer Sie eingeladen hat, ignorieren Sie diese E-Mail.",
  changeSubject: (product) => `Bestätigen Sie Ihre neue E-Mail-Adresse für ${product}`,
  typeChangeCode: "Geben Sie diesen Code auf der Seite ein, auf der Sie Ihre E-Mail-Adresse geändert haben. Er gilt 10 Minuten:",
  changeOrOpen:
    "Oder öffnen Sie diesen Link innerhalb von 24 Stunden in einem Browser, in dem Sie angemeldet sind. Bis dahin behält Ihr Konto die alte Adresse.",
  changeRequestedSubject: "Ihre E-Mail-Adresse soll geändert werden",
  changeRequested:
    "Jemand, der in Ihrem Konto angemeldet ist, möchte dessen E-Mail-Adresse ändern. Sie ändert sich, sobald die neue Adresse bestätigt ist. Um das zu verhindern, ändern Sie Ihr Passwort.",
  changedSubject: "Ihre E-Mail-Adresse wurde geändert",
  changed: "Die E-Mail-Adresse Ihres Kontos wurde geändert. Melden Sie sich ab jetzt mit der neuen Adresse an.",
  undoText:
    "Wenn Sie das nicht waren, machen Sie es innerhalb von 72 Stunden rückgängig: Ihre alte Adresse wird wiederhergestellt, alle Geräte werden abgemeldet, und Sie wählen ein neues Passwort.",
  undo: "Änderung rückgängig machen",
  undoneSubject: "Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht",
  undone:
    "Die Änderung der E-Mail-Adresse Ihres Kontos wurde rückgängig gemacht. Es gilt wieder die frühere Adresse, und alle Geräte sind abgemeldet.",
  deletionSubject: "Ihr Konto wird gelöscht",
  deletion: (when) => `Ihr Konto ist zum Löschen vorgemerkt, und alle Geräte sind abgemeldet. Am ${when} wird es endgültig gelöscht.`,
  deletedSubject: "Ihr Konto wurde gelöscht",
  deleted: "Ihr Konto und alles darin wurde gelöscht.",
  restoreText: "Um es zu behalten, melden Sie sich vorher an und wählen Sie „Wiederherstellen“.",
  restoredSubject: "Ihr Konto wurde wiederhergestellt",
  restored: "Ihr Konto ist nicht mehr zum Löschen vorgemerkt. Melden Sie sich an, um es zu verwenden.",
};
