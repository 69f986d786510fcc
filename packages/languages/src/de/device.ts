import type { Texts } from "../texts.ts";

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
  denied: { title: "Zugriff abgelehnt", text: "Das Gerät kann nicht auf Ihr Konto zugreifen. Sie können diese Seite schließen." },
  manageApps: "Verbundene Apps verwalten",
};
