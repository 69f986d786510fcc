import { plural } from "../amounts.ts";
import type { Texts } from "../en/index.ts";

export const security: Texts["security"] = {
  title: "Sicherheit",
  text: "Wie Sie sich anmelden und was Ihr Konto schützt.",
  notices: {
    password_changed: "Passwort geändert. Sie sind überall sonst abgemeldet.",
  },
};

export const secondStep: Texts["secondStep"] = {
  title: "Bestätigung in zwei Schritten",
  text: "Geben Sie den 6-stelligen Code aus Ihrer Authenticator-App ein.",
  recoveryText: "Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder Code gilt einmal.",
  code: "Code",
  submit: "Weiter",
  useRecovery: "Wiederherstellungscode verwenden",
  useApp: "Authenticator-App verwenden",
  remember: "Diesen Browser merken",
  incorrect:
    "Der Code ist falsch oder wurde schon verwendet. Warten Sie auf einen neuen Code und versuchen Sie es noch einmal.",
  expired: "Die Anmeldung hat zu lange gedauert, oder es gab zu viele falsche Codes. Melden Sie sich noch einmal an.",
  back: "Zurück zur Anmeldung",
  keyText: "Bestätigen Sie mit Ihrem Passkey oder Sicherheitsschlüssel, dass Sie es sind.",
  useKey: "Passkey oder Sicherheitsschlüssel verwenden",
  keyFailed: "Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal oder auf einem anderen Weg.",
  setUpTitle: "Authenticator-App einrichten",
  setUpText:
    "Scannen Sie diesen QR-Code mit einer Authenticator-App auf Ihrem Telefon. Geben Sie dann den 6-stelligen Code ein, den die App anzeigt.",
  setUpRequired: "Ihr Konto braucht einen zweiten Schritt.",
  setUpOffered: "Die App, bei der Sie sich anmelden, verlangt einen zweiten Schritt.",
  notNow: "Nicht jetzt",
  qrCode: "QR-Code für Ihre Authenticator-App",
  openApp: "Authenticator-App auf diesem Gerät öffnen",
  typeKey: "Oder tippen Sie diesen Schlüssel in die App:",
  setUpIncorrect: "Der Code ist falsch. Prüfen Sie die Uhrzeit Ihres Telefons und geben Sie den aktuellen Code ein.",
  setUpExpired: "Die Seite war zu lange geöffnet. Scannen Sie den neuen QR-Code.",
  passkeyOffered:
    "Die App, bei der Sie sich anmelden, verlangt einen Passkey. Fügen Sie auf Ihrer Sicherheitsseite einen hinzu und versuchen Sie es dann noch einmal.",
  security: "Sicherheitsseite",
  codesTitle: "Ihre Wiederherstellungscodes",
  codesText:
    "Bewahren Sie diese Codes sicher auf. Wenn Sie Ihr Telefon verlieren, ersetzt jeder einmal einen Code der App. Wir können sie nicht noch einmal anzeigen.",
  appTitle: "Authenticator-App",
  appOff: "Ein Code aus einer App auf Ihrem Telefon schützt Ihr Konto, auch wenn jemand Ihr Passwort erfährt.",
  appSetUp: "Authenticator-App einrichten",
  remove: "Entfernen",
  removeApp: "Authenticator-App entfernen",
  codesSection: "Wiederherstellungscodes",
  newCodes: "Neue Wiederherstellungscodes",
  browsersTitle: "Gemerkte Browser",
  browsersText: "Diese Browser überspringen den zweiten Schritt.",
  forget: "Vergessen",
  appOn: (since) => `Eingerichtet am ${since}.`,
  codesLeft: (left) =>
    plural(left, "de", { one: `${left} unbenutzter Code ist übrig.`, other: `${left} unbenutzte Codes sind übrig.` }),
  lastUsed: (when) => `Zuletzt verwendet ${when}`,
  forgetOf: (browser) => `${browser} vergessen`,
  notices: {
    totp_on: "Ihre Authenticator-App ist eingerichtet.",
    totp_off: "Ihre Authenticator-App wurde entfernt.",
    browser_forgotten: "Dieser Browser muss den zweiten Schritt wieder gehen.",
    required: "Ihr Konto braucht einen zweiten Schritt. Richten Sie einen anderen ein, bevor Sie diesen entfernen.",
    changed: "Ihr Konto hat sich inzwischen geändert. Versuchen Sie es noch einmal.",
  },
};

export const passkeys: Texts["passkeys"] = {
  signIn: "Mit Passkey anmelden",
  confirm: "Mit Passkey bestätigen",
  unsupported: "Dieser Browser unterstützt keine Passkeys. Melden Sie sich anders an.",
  cancelled: "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder melden Sie sich anders an.",
  refused: "Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder melden Sie sich anders an.",
  empty:
    "Ihr Browser hat keinen Passkey gesendet, denn Passkeys brauchen JavaScript. Melden Sie sich mit E-Mail-Adresse und Passwort oder einer anderen Möglichkeit auf dieser Seite an.",
  title: "Passkeys",
  intro:
    "Melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an. Ein Passkey funktioniert nur auf dieser Website und kann deshalb nicht abgefischt werden.",
  none: "Sie haben noch keinen Passkey.",
  off: "Passkeys sind aus: Sie brauchen einen Domainnamen, und dieser Server hat eine IP-Adresse als Adresse.",
  add: "Passkey hinzufügen",
  addIntro:
    "Ihr Gerät fragt nach Fingerabdruck, Gesicht oder Bildschirmsperre. Sie können auch einen Sicherheitsschlüssel oder ein Telefon in der Nähe verwenden.",
  addUnsupported: "Dieser Browser unterstützt keine Passkeys. Versuchen Sie es mit einem aktuellen anderen Browser.",
  addCancelled: "Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal, wenn Sie so weit sind.",
  addRegistered: "Dieses Gerät oder dieser Passwortmanager hat schon einen Passkey für Ihr Konto.",
  addFailed: "Der Passkey konnte nicht hinzugefügt werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  addEmpty:
    "Ihr Browser hat keinen Passkey gesendet. Dafür braucht es JavaScript; alles andere hier funktioniert ohne.",
  full: "Sie haben 20 Passkeys, mehr sind für ein Konto nicht möglich. Entfernen Sie einen, um einen anderen hinzuzufügen.",
  added: (when: string) => `Hinzugefügt ${when}`,
  lastUsed: (when: string) => `zuletzt verwendet ${when}`,
  neverUsed: "noch nie verwendet",
  synced: "Synchronisiert",
  thisDeviceOnly: "Auf einem Gerät",
  otherDomain: (domain: string) => `Wurde für ${domain} erstellt und funktioniert hier nicht.`,
  rename: "Umbenennen",
  renameOf: (name: string) => `${name} umbenennen`,
  name: "Name",
  saveName: "Namen speichern",
  badName: "Geben Sie einen Namen mit höchstens 60 Zeichen ein.",
  remove: "Entfernen",
  removeOf: (name: string) => `${name} entfernen`,
  backToSecurity: "Zurück zu Sicherheit",
  cannotRemove: "Sie können diesen Passkey nicht entfernen",
  lastWayIn:
    "Dieser Passkey ist Ihre einzige Möglichkeit, sich anzumelden. Legen Sie zuerst ein Passwort fest oder fügen Sie einen weiteren Passkey hinzu.",
  notices: {
    passkey_added: "Passkey hinzugefügt. Sie können sich ab jetzt damit anmelden.",
    passkey_renamed: "Passkey umbenannt.",
    passkey_removed: "Passkey entfernt.",
  },
  offerTitle: "Nächstes Mal schneller anmelden",
  offerText:
    "Erstellen Sie einen Passkey und melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre statt mit Ihrem Passwort an.",
  create: "Passkey erstellen",
  notNow: "Nicht jetzt",
};

export const confirm: Texts["confirm"] = {
  title: "Bestätigen Sie, dass Sie es sind",
  password: "Passwort",
  submit: "Weiter",
  incorrect: "Falsches Passwort.",
  doneTitle: "Danke, Sie sind es",
  done: "Fahren Sie fort, um die gewünschte Änderung vorzunehmen:",
  asked: "Danach geht es weiter mit:",
  notAsked: "Wenn Sie das nicht wollten, schließen Sie diese Seite.",
  text: "Das schützt Ihr Konto. Bestätigen Sie, dass Sie es sind, um fortzufahren.",
  forApp: "{app} bittet Sie zu bestätigen, dass Sie es sind.",
  code: "Code aus Ihrer Authenticator-App oder Wiederherstellungscode",
  other: "Anders bestätigen",
  incorrectCode: "Falscher Code.",
  passkeyText: "Bestätigen Sie mit Ihrem Passkey, dass Sie es sind.",
  elsewhere:
    "Ihr Passkey ist auf einem anderen Gerät? Drücken Sie die Schaltfläche und wählen Sie dann im Fenster Ihres Browsers ein Smartphone oder ein anderes Gerät. Oder nehmen Sie die Änderung auf einem Gerät vor, das Ihren Passkey hat.",
  lost: "Sie haben keine Wiederherstellungscodes. Wenn Sie Ihren Passkey verloren haben, wenden Sie sich an die Administration.",
  acts: {
    email: "Ihre E-Mail-Adresse in {email} ändern",
    deletion: "Ihr Konto löschen",
    export: "Ihre Daten herunterladen",
    sessions: "Sie überall sonst abmelden",
    sessionsAndApps: "Sie überall sonst abmelden und alle Apps trennen",
    connect: "{provider} verbinden",
    disconnect: "Die Verbindung mit {provider} entfernen",
    addPasskey: "Einen Passkey hinzufügen",
    removePasskey: "Den Passkey {name} entfernen",
    addApp: "Eine Authenticator-App einrichten",
    removeApp: "Die Authenticator-App entfernen",
    recoveryCodes: "Ihre Wiederherstellungscodes ersetzen",
  },
};
