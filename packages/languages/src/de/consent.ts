import type { Texts } from "../en/index.ts";

export const consent: Texts["consent"] = {
  title: (app: string) => `${app} erlauben?`,
  heading: "{app} möchte auf Ihr Konto zugreifen",
  redirect: "Sie werden zu {host} weitergeleitet.",
  unverified:
    "Wir können nicht prüfen, ob das wirklich {app} ist: Jedes Programm auf Ihrem Gerät kann sich dafür ausgeben. Fahren Sie nur fort, wenn Sie es gerade selbst gestartet haben.",
  selfRegistered:
    "Diese App hat sich selbst registriert, und wir haben sie nicht geprüft. Ihr Name kann irreführend sein.",
  selfDescribed: "Diese App beschreibt sich selbst unter {host}. Wir haben sie nicht geprüft.",
  onThisDevice: "Sie läuft auf diesem Gerät, wo sich jedes Programm als {app} ausgeben kann.",
  onlyIfStarted: "Fahren Sie nur fort, wenn Sie das gerade selbst gestartet haben.",
  allowsAccount: "Damit kann die App sehen, dass Sie ein Konto haben",
  allowsAlso: "Damit kann die App außerdem",
  allows: "Damit kann die App",
  allowedAlready: "Das erlauben Sie bereits",
  deny: "Ablehnen",
  allow: "Erlauben",
  revokeAnyTime: "Sie können den Zugriff jederzeit in {account} widerrufen.",
  yourAccount: "Ihrem Konto",
  testRun: "Testlauf",
  testRunText:
    "Sie haben dies in der Konsole gestartet, um {app} zu testen. Was Sie erlauben, wird nicht gespeichert und endet mit dem Test.",
};

export const device: Texts["device"] = {
  title: "Gerät verbinden",
  text: "Geben Sie den Code ein, den Ihr Gerät anzeigt.",
  code: "Code",
  submit: "Weiter",
  wrongCode:
    "Dieser Code ist falsch oder abgelaufen. Prüfen Sie den Code auf Ihrem Gerät, oder beginnen Sie dort neu, um einen neuen zu bekommen.",
  confirmTitle: (app: string) => `${app} verbinden?`,
  confirmHeading: "{app} verbinden?",
  confirmText: "Vergewissern Sie sich, dass Ihr Gerät diesen Code anzeigt.",
  warning:
    "Damit bekommt ein Gerät Zugriff auf Ihr Konto. Fahren Sie nur fort, wenn Sie das begonnen haben und das Gerät bei Ihnen ist. Wenn Ihnen jemand diesen Code oder Link geschickt hat, lehnen Sie ab.",
  requestedFrom: "Angefragt von",
  requested: "Angefragt",
  approved: { title: "Gerät verbunden", text: "Gehen Sie zurück zu Ihrem Gerät. Es macht in wenigen Sekunden weiter." },
  denied: {
    title: "Zugriff abgelehnt",
    text: "Das Gerät kann nicht auf Ihr Konto zugreifen. Sie können diese Seite schließen.",
  },
  manageApps: "Verbundene Apps verwalten",
};
