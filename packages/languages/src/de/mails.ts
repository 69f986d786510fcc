import { plural } from "../amounts.ts";
import type { Texts } from "../en/index.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) =>
    `${product} hat diese E-Mail automatisch von ${issuer} gesendet. Antworten werden nicht gelesen.`,
  copyLink: "Oder kopieren Sie diesen Link in Ihren Browser:",
  ignore: "Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.",
  time: "Zeit",
  device: "Gerät",
  address: "IP-Adresse",
  unknown: "Unbekannt",
  notYou: "Wenn Sie das waren, müssen Sie nichts tun. Andernfalls prüfen Sie jetzt die Sicherheit Ihres Kontos.",
  reviewSecurity: "Sicherheit prüfen",
};

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
  invitation: (product) =>
    `Sie sind eingeladen, ein Konto bei ${product} zu erstellen. Die Einladung gilt einmal, 7 Tage lang.`,
  invitationBy: (inviter, product) =>
    `${inviter} lädt Sie ein, ein Konto bei ${product} zu erstellen. Die Einladung gilt einmal, 7 Tage lang.`,
  accept: "Einladung annehmen",
  invitationIgnore: "Wenn Sie nicht wissen, wer Sie eingeladen hat, ignorieren Sie diese E-Mail.",
  changeSubject: (product) => `Bestätigen Sie Ihre neue E-Mail-Adresse für ${product}`,
  typeChangeCode:
    "Geben Sie diesen Code auf der Seite ein, auf der Sie Ihre E-Mail-Adresse geändert haben. Er gilt 10 Minuten:",
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
  deletion: (when) =>
    `Ihr Konto ist zum Löschen vorgemerkt, und alle Geräte sind abgemeldet. Am ${when} wird es endgültig gelöscht.`,
  deletedSubject: "Ihr Konto wurde gelöscht",
  deleted: "Ihr Konto und alles darin wurde gelöscht.",
  restoreText: "Um es zu behalten, melden Sie sich vorher an und wählen Sie „Wiederherstellen“.",
  restoredSubject: "Ihr Konto wurde wiederhergestellt",
  restored: "Ihr Konto ist nicht mehr zum Löschen vorgemerkt. Melden Sie sich an, um es zu verwenden.",
};

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `Ihr Anmeldecode für ${product}`,
  typeCode: "Geben Sie diesen Code in dem Fenster ein, in dem Sie ihn angefordert haben:",
  orOpen: "Oder öffnen Sie diesen Link im selben Browser. Beides gilt einmal, 10 Minuten lang.",
  signIn: "Anmelden",
};

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
  resetDoneText:
    "Das Passwort Ihres Kontos wurde per E-Mail zurückgesetzt. Alle Geräte sind abgemeldet und alle Apps getrennt.",
  browserSubject: (code) => `${code} ist Ihr Anmeldecode`,
  browserText:
    "Für Ihr Konto wurden viele falsche Passwörter eingegeben. Um sich in einem neuen Browser mit Ihrem Passwort anzumelden, geben Sie dort diesen Code ein. Er gilt 10 Minuten.",
};

export const mailPasskeys: Texts["mailPasskeys"] = {
  addedSubject: "Ihrem Konto wurde ein Passkey hinzugefügt",
  added: "Ihrem Konto wurde ein Passkey hinzugefügt. Damit kann man sich anmelden.",
  removedSubject: "Ein Passkey wurde von Ihrem Konto entfernt",
  removed: "Ein Passkey wurde von Ihrem Konto entfernt. Damit kann man sich nicht mehr anmelden.",
  clonedSubject: "Eine Anmeldung mit einem Ihrer Passkeys wurde blockiert",
  cloned:
    "Eine Anmeldung mit einem Ihrer Passkeys wurde blockiert: Der Sicherheitsschlüssel wurde möglicherweise kopiert.",
  clonedAdvice:
    "Entfernen Sie diesen Passkey auf Ihrer Sicherheitsseite und fügen Sie einen neuen mit einem Sicherheitsschlüssel hinzu, dem Sie vertrauen.",
};

export const mailFactors: Texts["mailFactors"] = {
  totp_on: {
    subject: (product) => `Bestätigung in zwei Schritten für ${product} ist aktiv`,
    happened:
      "Für Ihr Konto wurde eine Authenticator-App eingerichtet. Jede Anmeldung mit Ihrem Passwort verlangt jetzt einen Code.",
  },
  totp_off: {
    subject: (product) => `Ihre Authenticator-App wurde aus ${product} entfernt`,
    happened: "Die Authenticator-App wurde aus Ihrem Konto entfernt.",
  },
  recovery_codes_made: {
    subject: (product) => `Neue Wiederherstellungscodes für ${product}`,
    happened: "Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.",
  },
  recovery_code_used: {
    subject: (product) => `Ein Wiederherstellungscode für ${product} wurde verwendet`,
    happened: "Jemand hat sich mit einem Wiederherstellungscode bei Ihrem Konto angemeldet.",
    left: (left) =>
      plural(left, "de", {
        one: `Sie haben noch ${left} Wiederherstellungscode.`,
        other: `Sie haben noch ${left} Wiederherstellungscodes.`,
      }),
  },
  new_sign_in: {
    subject: (product) => `Neue Anmeldung bei ${product}`,
    happened: "Jemand hat sich mit einem Browser bei Ihrem Konto angemeldet, den wir noch nicht kennen.",
  },
};

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `${provider} wurde mit Ihrem Konto verbunden`,
  linked: (provider, product) => `Mit ${provider} kann man sich jetzt bei Ihrem Konto bei ${product} anmelden.`,
  removedSubject: (provider) => `${provider} wurde aus Ihrem Konto entfernt`,
  removed: (provider, product) => `Mit ${provider} kann man sich nicht mehr bei Ihrem Konto bei ${product} anmelden.`,
};

export const mailPeople: Texts["mailPeople"] = {
  roles: { admin: "Admin", developer: "Entwickler", viewer: "Betrachter", user: "Benutzer" },
  roleSubject: (product) => `Ihre Rolle in ${product} wurde geändert`,
  roleText: (role) => `Ein Administrator hat Ihre Rolle geändert. Sie lautet jetzt: ${role}.`,
  disabledSubject: (product) => `Ihr Konto bei ${product} wurde deaktiviert`,
  disabledText:
    "Ein Administrator hat Ihr Konto deaktiviert. Sie können sich nicht anmelden und wurden auf allen Geräten abgemeldet.",
  factorsSubject: (product) => `Ihre Bestätigung in zwei Schritten bei ${product} wurde zurückgesetzt`,
  factorsText:
    "Ein Administrator hat Ihre Authenticator-App, Ihre Wiederherstellungscodes und die Passkeys neben Ihrem Passwort entfernt und Sie auf allen Geräten abgemeldet. Nach der Anmeldung können Sie alles neu einrichten.",
  passwordSubject: (product) => `Wählen Sie ein neues Passwort für ${product}`,
  passwordText:
    "Ein Administrator bittet Sie, ein neues Passwort zu wählen. Sie werden bei der nächsten Anmeldung danach gefragt.",
  setSubject: (product) => `Ihr Passwort bei ${product} wurde geändert`,
  setText: "Ein Administrator hat ein neues Passwort für Ihr Konto gesetzt und Sie auf allen Geräten abgemeldet.",
  firstSubject: (product) => `Ihr Konto bei ${product} hat jetzt ein Passwort`,
  firstText: "Ein Administrator hat Ihrem Konto ein Passwort hinzugefügt. Sie können sich jetzt damit anmelden.",
  testSubject: (product) => `Eine Testmail von ${product}`,
  testText: (product) => `E-Mails von ${product} kommen bei Ihnen an. Sie haben diese Mail in der Konsole angefordert.`,
  questions: "Wenn Sie das nicht erwartet haben, wenden Sie sich an Ihren Administrator.",
};
