import type { Texts } from "../texts.ts";

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
  addEmpty: "Ihr Browser hat keinen Passkey gesendet. Dafür braucht es JavaScript; alles andere hier funktioniert ohne.",
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
