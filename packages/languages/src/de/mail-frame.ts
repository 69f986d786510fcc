import type { Texts } from "../texts.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) => `${product} hat diese E-Mail automatisch von ${issuer} gesendet. Antworten werden nicht gelesen.`,
  copyLink: "Oder kopieren Sie diesen Link in Ihren Browser:",
  ignore: "Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.",
  time: "Zeit",
  device: "Gerät",
  address: "IP-Adresse",
  unknown: "Unbekannt",
  notYou: "Wenn Sie das waren, müssen Sie nichts tun. Andernfalls prüfen Sie jetzt die Sicherheit Ihres Kontos.",
  reviewSecurity: "Sicherheit prüfen",
};
