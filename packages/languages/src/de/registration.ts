import type { Texts } from "../en/index.ts";

export const signUp: Texts["signUp"] = {
  title: "Konto erstellen",
  continueTo: "um mit {app} fortzufahren",
  welcome: "Das dauert nur eine Minute.",
  name: "Name",
  email: "E-Mail",
  password: "Passwort",
  submit: "Konto erstellen",
  withPasskey: "Mit einem Passkey registrieren",
  withPasskeyText:
    "Ihr Gerät erstellt ihn mit Fingerabdruck, Gesicht oder Displaysperre, und Sie brauchen kein Passwort.",
  haveAccount: "Sie haben schon ein Konto?",
  signIn: "Anmelden",
  emailInvalid: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  emailRefused: "Mit dieser E-Mail-Adresse können Sie kein Konto erstellen. Versuchen Sie, sich anzumelden.",
  nameInvalid: "Geben Sie einen Namen mit höchstens 80 Zeichen in einer Zeile ein.",
  emailDomain:
    "Mit einer E-Mail-Adresse dieser Domain können Sie kein Konto erstellen. Verwenden Sie eine andere oder bitten Sie um eine Einladung.",
  closedTitle: "Registrierung geschlossen",
  closed: "Um hier ein Konto zu erstellen, brauchen Sie eine Einladung.",
};

export const invitation: Texts["invitation"] = {
  title: "Einladung annehmen",
  text: "Erstellen Sie Ihr Konto für {email}.",
  textBy: "{inviter} lädt Sie ein, ein Konto für {email} zu erstellen.",
  name: "Name",
  password: "Passwort",
  accept: "Einladung annehmen",
  withPasskey: "Lieber ein Passkey?",
  acceptWithPasskey: "Mit Passkey annehmen",
  withPasskeyText: "Ihr Gerät erstellt ihn, und Sie brauchen kein Passwort.",
  otherTitle: "Sie sind angemeldet",
  otherText:
    "Diese Einladung ist für ein anderes Konto als {email}. Melden Sie sich ab und öffnen Sie den Link erneut.",
  signOut: "Abmelden",
  takenText: "Für {email} gibt es bereits ein Konto. Melden Sie sich damit an; die Einladung ist nicht nötig.",
  signIn: "Anmelden",
  deadTitle: "Diese Einladung gilt nicht mehr",
  deadText:
    "Sie wurde bereits angenommen, zurückgezogen oder ersetzt, oder sie ist abgelaufen. Bitten Sie um eine neue.",
};

export const verifyEmail: Texts["verifyEmail"] = {
  title: "Prüfen Sie Ihre E-Mails",
  sentTo: "Wenn {email} hier verwendet werden kann, haben wir einen Code dorthin gesendet. Er gilt 10 Minuten.",
  code: "Code",
  submit: "Bestätigen",
  resend: "Neuen Code senden",
  resent: "Wir haben einen neuen Code gesendet. Frühere gelten nicht mehr.",
  otherAddress: "Andere E-Mail-Adresse verwenden",
  wrong:
    "Dieser Code ist falsch oder abgelaufen. Verwenden Sie die neueste E-Mail oder fordern Sie einen neuen Code an.",
  confirmTitle: "E-Mail-Adresse bestätigen",
  confirmText: "Drücken Sie den Knopf, um {email} zu bestätigen.",
  elsewhereTitle: "Konto fertigstellen",
  elsewhereText:
    "Sie haben diesen Link in einem anderen Browser geöffnet als dem, in dem Sie begonnen haben. Um das Konto für {email} zu erstellen, wählen Sie hier Namen und Passwort.",
  createAccount: "Konto erstellen",
  name: "Name",
  password: "Passwort",
  takeOverTitle: "E-Mail-Adresse bestätigen",
  takeOverText:
    "Jemand hat ein Konto für {email} erstellt. Wenn Sie das waren, melden Sie sich an, um die Adresse zu bestätigen.",
  signIn: "Anmelden",
  notMine: "Nicht Ihr Konto, oder Passwort vergessen?",
  notMineText:
    "Wählen Sie ein neues Passwort. Alles, was bisher im Konto war, wird entfernt, und alle anderen Geräte werden abgemeldet.",
  newPassword: "Neues Passwort",
  setPassword: "Passwort festlegen",
  changeTitle: "E-Mail-Adresse ändern",
  changeText: "Drücken Sie den Knopf, um die E-Mail-Adresse Ihres Kontos in {email} zu ändern.",
  change: "E-Mail-Adresse ändern",
  changeSignIn: "Um die E-Mail-Adresse Ihres Kontos in {email} zu ändern, melden Sie sich zuerst in diesem Konto an.",
  undoTitle: "Änderung rückgängig machen",
  undoText:
    "Damit wird {email} wieder die E-Mail-Adresse Ihres Kontos, alle Geräte werden abgemeldet, und seither hinzugefügte Passkeys und andere Anmeldewege werden entfernt. Danach senden wir Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
  undo: "Änderung rückgängig machen",
  undone: "Die Änderung ist rückgängig gemacht",
  undoneText:
    "Ihr Konto hat wieder seine alte E-Mail-Adresse. In Ihren E-Mails finden Sie den Link, mit dem Sie ein neues Passwort wählen.",
  undonePasskey:
    "Ihr Konto hat wieder seine alte E-Mail-Adresse. Melden Sie sich mit Ihrem Passkey an. Falls das nicht geht, finden Sie in Ihren E-Mails, was Sie tun können.",
  deadTitle: "Dieser Link gilt nicht mehr",
  deadText: "Er wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen.",
  takenTitle: "Sie haben bereits ein Konto",
  takenText:
    "Melden Sie sich mit Ihrer E-Mail-Adresse an. Wenn Sie Ihr Passwort vergessen haben, können Sie es zurücksetzen.",
  requiredTitle: "E-Mail-Adresse bestätigen",
  required: "{app} verlangt eine bestätigte E-Mail-Adresse. Wir senden einen Code an {email}.",
  sendCode: "Code senden",
  banner: "Ihre E-Mail-Adresse ist noch nicht bestätigt.",
  bannerAction: "E-Mail-Adresse bestätigen",
  unavailable:
    "Auf diesem Server ist keine E-Mail eingerichtet, deshalb kann Ihre Adresse nicht bestätigt werden. Bitten Sie einen Administrator um Hilfe.",
  verified: "Ihre E-Mail-Adresse ist bestätigt.",
};

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
