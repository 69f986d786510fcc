import type { Texts } from "../texts.ts";

export const email: Texts["email"] = {
  title: "E-Mail-Adresse ändern",
  current: "Sie melden sich mit {email} an.",
  newEmail: "Neue E-Mail-Adresse",
  submit: "E-Mail-Adresse ändern",
  sentTo:
    "Wenn {email} verwendet werden kann, haben wir einen Code dorthin gesendet. Ihr Konto behält die alte E-Mail-Adresse, bis Sie den Code eingeben.",
  code: "Code",
  verify: "Bestätigen",
  startAgain: "Andere E-Mail-Adresse verwenden",
  invalid: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  same: "Das ist bereits die E-Mail-Adresse Ihres Kontos. Geben Sie eine andere ein.",
  domain: "E-Mail-Adressen dieser Domain können hier nicht verwendet werden.",
  cancelled: "Diese Änderung wurde ersetzt oder abgebrochen. Beginnen Sie von vorn.",
  unavailable:
    "Auf diesem Server ist keine E-Mail eingerichtet, deshalb können Adressen nicht bestätigt werden. Bitten Sie einen Administrator, sie zu ändern.",
  changed: "Ihre E-Mail-Adresse ist geändert. Ihre anderen Geräte sind abgemeldet.",
};
