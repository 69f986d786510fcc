import type { Texts } from "../texts.ts";

export const consent: Texts["consent"] = {
  title: (app: string) => `${app} erlauben?`,
  heading: "{app} möchte auf Ihr Konto zugreifen",
  redirect: "Sie werden zu {host} weitergeleitet.",
  unverified:
    "Wir können nicht prüfen, ob das wirklich {app} ist: Jedes Programm auf Ihrem Gerät kann sich dafür ausgeben. Fahren Sie nur fort, wenn Sie es gerade selbst gestartet haben.",
  selfRegistered: "Diese App hat sich selbst registriert, und wir haben sie nicht geprüft. Ihr Name kann irreführend sein.",
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
