import type { Texts } from "../texts.ts";

export const mailPasswords: Texts["mailPasswords"] = {
  resetSubject: (product) => `Ihr Passwort für ${product} zurücksetzen`,
  resetText:
    "Jemand, hoffentlich Sie, möchte das Passwort Ihres Kontos zurücksetzen. Die Schaltfläche funktioniert 30 Minuten lang und nur einmal.",
  resetButton: "Neues Passwort wählen",
  noPasswordSubject: (product) => `Anmelden bei ${product}`,
  noPasswordText:
    "Jemand, hoffentlich Sie, möchte das Passwort Ihres Kontos zurücksetzen. Es hat keines: Sie melden sich mit einem Passkey an.",
  noPasswordRecovery:
    "Wenn Sie Ihren Passkey nicht mehr verwenden können, wählen Sie mit der Schaltfläche ein Passwort. Dazu brauchen Sie auch einen Ihrer Wiederherstellungscodes.",
  noPasswordHelp: "Wenn Sie Ihren Passkey nicht mehr verwenden können, bitten Sie einen Administrator um Hilfe.",
  changedSubject: (product) => `Ihr Passwort für ${product} wurde geändert`,
  changedText: "Das Passwort Ihres Kontos wurde geändert. Ihre anderen Geräte sind abgemeldet.",
  resetDoneSubject: (product) => `Ihr Passwort für ${product} wurde zurückgesetzt`,
  resetDoneText: "Das Passwort Ihres Kontos wurde per E-Mail zurückgesetzt. Alle Geräte sind abgemeldet und alle Apps getrennt.",
  browserSubject: (code) => `${code} ist Ihr Anmeldecode`,
  browserText:
    "Für Ihr Konto wurden viele falsche Passwörter eingegeben. Um sich in einem neuen Browser mit Ihrem Passwort anzumelden, geben Sie dort diesen Code ein. Er gilt 10 Minuten.",
};
