import type { Texts } from "../en/index.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "Sprache ändern",
  terms: "Nutzungsbedingungen",
  privacy: "Datenschutz",
  support: "Hilfe",
  signOut: "Abmelden",
  signedInAs: "Angemeldet als",
  notYou: "Nicht Sie?",
  environments: { development: "Entwicklung", staging: "Test", production: "Produktion" },
};

export const home: Texts["home"] = {
  title: "Willkommen",
  heading: (product: string) => `Willkommen bei ${product}`,
  text: "Melden Sie sich an, um Ihr Konto und verbundene Apps zu verwalten.",
  account: "Ihr Konto",
  signIn: "Anmelden",
  console: "Konsole öffnen",
  developers: "Sie entwickeln eine App? Hier sind die {metadata}.",
  metadata: "Metadaten des Servers",
};

export const errors: Texts["errors"] = {
  invalid: "Wir können diese Anfrage nicht ausführen",
  failed: "Etwas ist schiefgegangen",
  refused:
    "Die App, die Sie hierher geschickt hat, hat eine ungültige Anfrage gestellt. Es wurden keine Daten weitergegeben. Nur ihre Entwickler können das beheben.",
  invalidRequest: "Die App hat eine ungültige Anfrage gestellt. Es wurden keine Daten weitergegeben.",
  denied: "Zugriff abgelehnt",
  nothingShared: "Es wurden keine Daten an die App weitergegeben.",
  leave: "Wir haben diese App nicht geprüft. Fahren Sie nur fort, wenn Sie {host} vertrauen.",
  continueTo: (host: string) => `Weiter zu ${host}`,
  expired: "Diese Anfrage ist abgelaufen",
  expiredText: "Es hat zu lange gedauert, oder Sie haben sich neu angemeldet. Es wurden keine Daten weitergegeben.",
  goBack: "Gehen Sie zurück zur App, die Sie hierher geschickt hat, und versuchen Sie es erneut.",
  restartText: "Beginnen Sie neu, um fortzufahren.",
  restart: "Neu beginnen",
  account: "Zu Ihrem Konto",
  home: "Zur Startseite",
  signIn: "Zur Anmeldung",
  errorId: "Fehler-ID: {id}. Geben Sie sie an, wenn Sie uns schreiben.",
  seeWhy: "Den Grund in der Konsole ansehen",
  method: (methods: string) => `Diese Seite nimmt nur Anfragen mit ${methods} an.`,
  reload: "Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es erneut.",
  outOfDate: "Diese Seite ist nicht mehr aktuell",
  outOfDateText:
    "Seit Sie diese Seite geöffnet haben, wurde in diesem Browser ein anderer Link geöffnet oder ein anderes Konto angemeldet. Es wurde nichts geändert. Öffnen Sie den Link in Ihrer E-Mail noch einmal, oder beginnen Sie in Ihrem Konto von vorn.",
  csrf: "Dieses Formular kam nicht von unserer Seite, oder die Seite war zu lange geöffnet. Laden Sie sie neu und versuchen Sie es erneut.",
  cookiesLost:
    "Ihr Browser hatte die Cookies dieser Seite nicht mehr, deshalb wurde nichts gesendet. Versuchen Sie es bitte noch einmal. Erscheint diese Meldung wieder, erlauben Sie Cookies für diese Website.",
  tooManyCookies: "Zu viele Cookies",
  tooManyCookiesText:
    "Ihr Browser hat mehr Cookies gesendet, als diese Website annimmt, die meisten davon von anderen Websites derselben Domain. Löschen Sie die Cookies dieser Domain in den Einstellungen Ihres Browsers oder verwenden Sie ein privates Fenster, und öffnen Sie die Seite dann erneut.",
  internal: "Bei uns ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.",
  unavailable: "Der Dienst ist ausgelastet oder wird gewartet. Versuchen Sie es gleich noch einmal.",
  busy: "Gerade ist zu viel los",
  busyText:
    "Zu viele Menschen nutzen diesen Dienst gleichzeitig. Es wurde nichts geändert. Versuchen Sie es in ein paar Sekunden noch einmal.",
  notFound: "Seite nicht gefunden",
  notFoundText: "Unter dieser Adresse gibt es keine Seite. Der Link ist vielleicht veraltet oder unvollständig.",
  tooMany: "Zu viele Versuche",
  tooManyText: (wait: string) =>
    `Zum Schutz der Konten machen wir hier eine Pause. Versuchen Sie es in ${wait} erneut.`,
};

export const formPost: Texts["formPost"] = {
  title: "Zurück zur App",
  text: "Falls nichts geschieht, drücken Sie die Schaltfläche.",
};
