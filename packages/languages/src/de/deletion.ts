import type { Texts } from "../texts.ts";

export const deletion: Texts["deletion"] = {
  title: "Konto löschen",
  text: "Damit werden Sie überall abgemeldet, und alle Apps werden sofort getrennt.",
  grace: (days) => `Ihr Konto und alles darin wird nach ${days} gelöscht. Bis dahin können Sie sich anmelden und es wiederherstellen.`,
  noGrace: "Ihr Konto und alles darin wird sofort gelöscht. Das lässt sich nicht rückgängig machen.",
  submit: "Mein Konto löschen",
  cancel: "Konto behalten",
  lastAdmin: "Sie sind der letzte Administrator, der sich anmelden kann. Ernennen Sie zuerst einen anderen.",
  doneTitle: "Ihr Konto wird gelöscht",
  done: (when) =>
    `Sie sind überall abgemeldet. Das Konto wird am ${when} endgültig gelöscht. Um es zu behalten, melden Sie sich vorher an.`,
  goneTitle: "Ihr Konto ist gelöscht",
  gone: "Sie sind überall abgemeldet, und alles in Ihrem Konto ist gelöscht.",
  back: "Zurück zum Konto",
  restoreTitle: "Konto wiederherstellen?",
  restoreText: (when) => `Dieses Konto ist zum Löschen vorgemerkt. Es wird am ${when} endgültig gelöscht.`,
  restore: "Wiederherstellen",
  restored: "Ihr Konto ist wiederhergestellt. Melden Sie sich an, um es zu verwenden.",
  restoreDead: "Das hat zu lange gedauert. Melden Sie sich erneut an, um Ihr Konto wiederherzustellen.",
  exportTitle: "Daten herunterladen",
  exportText:
    "Eine JSON-Datei mit Ihrem Profil, den Namen Ihrer Anmeldewege, Sitzungen, verbundenen Apps und Aktivitäten. Sie enthält keine Passwörter oder Schlüssel.",
  exportSubmit: "Meine Daten herunterladen",
};
