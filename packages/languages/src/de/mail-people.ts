import type { Texts } from "../texts.ts";

export const mailPeople: Texts["mailPeople"] = {
  roles: { admin: "Admin", developer: "Entwickler", viewer: "Betrachter", user: "Benutzer" },
  roleSubject: (product) => `Ihre Rolle in ${product} wurde geändert`,
  roleText: (role) => `Ein Administrator hat Ihre Rolle geändert. Sie lautet jetzt: ${role}.`,
  disabledSubject: (product) => `Ihr Konto bei ${product} wurde deaktiviert`,
  disabledText: "Ein Administrator hat Ihr Konto deaktiviert. Sie können sich nicht anmelden und wurden auf allen Geräten abgemeldet.",
  factorsSubject: (product) => `Ihre Bestätigung in zwei Schritten bei ${product} wurde zurückgesetzt`,
  factorsText:
    "Ein Administrator hat Ihre Authenticator-App, Ihre Wiederherstellungscodes und die Passkeys neben Ihrem Passwort entfernt und Sie auf allen Geräten abgemeldet. Nach der Anmeldung können Sie alles neu einrichten.",
  passwordSubject: (product) => `Wählen Sie ein neues Passwort für ${product}`,
  passwordText: "Ein Administrator bittet Sie, ein neues Passwort zu wählen. Sie werden bei der nächsten Anmeldung danach gefragt.",
  setSubject: (product) => `Ihr Passwort bei ${product} wurde geändert`,
  setText: "Ein Administrator hat ein neues Passwort für Ihr Konto gesetzt und Sie auf allen Geräten abgemeldet.",
  firstSubject: (product) => `Ihr Konto bei ${product} hat jetzt ein Passwort`,
  firstText: "Ein Administrator hat Ihrem Konto ein Passwort hinzugefügt. Sie können sich jetzt damit anmelden.",
  testSubject: (product) => `Eine Testmail von ${product}`,
  testText: (product) => `E-Mails von ${product} kommen bei Ihnen an. Sie haben diese Mail in der Konsole angefordert.`,
  questions: "Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihren Administrator.",
};
