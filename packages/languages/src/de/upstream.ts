import type { Texts } from "../texts.ts";

export const upstream: Texts["upstream"] = {
  continueWith: (provider) => `Weiter mit ${provider}`,
  emailFirst: "Geben Sie Ihre E-Mail-Adresse ein, um fortzufahren.",
  next: "Weiter",
  otherEmail: "Andere E-Mail-Adresse verwenden",
  prove: (provider) =>
    `Zu dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich einmal dort an, danach können Sie ${provider} verwenden.`,
  problems: {
    denied: (provider) => `Die Anmeldung mit ${provider} wurde abgebrochen.`,
    unreachable: (provider) =>
      `${provider} ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal, oder melden Sie sich auf andere Weise an.`,
    exchange_refused: (provider) =>
      `${provider} hat die Anmeldung beendet. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.`,
    sign_in_too_old: (provider) =>
      `${provider} hat nicht bestätigt, dass Sie sich gerade angemeldet haben. Melden Sie sich auf andere Weise an.`,
    tenant_unknown: (provider) => `Dieses ${provider}-Konto können Sie hier nicht verwenden. Nehmen Sie das Ihrer Organisation.`,
    misconfigured: (provider) => `Die Anmeldung mit ${provider} ist nicht richtig eingerichtet. Melden Sie sich auf andere Weise an.`,
    other_domain: (provider) => `Dieses ${provider}-Konto können Sie hier nicht verwenden. Nehmen Sie das Ihrer Organisation.`,
    other_provider: () => "Ihre Organisation meldet sich auf andere Weise an. Geben Sie Ihre geschäftliche E-Mail-Adresse ein.",
    other_account: (provider) => `Dieses ${provider}-Konto ist nicht mit Ihrem Konto verbunden. Wählen Sie ein anderes.`,
    connected_elsewhere: (provider) => `Dieses ${provider}-Konto ist bereits mit einem anderen Konto verbunden.`,
    signed_out: () => "Sie haben sich inzwischen abgemeldet. Melden Sie sich wieder an.",
    email_unverified: (provider) =>
      `${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Melden Sie sich auf andere Weise an und verbinden Sie ${provider} dann in Ihrem Konto.`,
    no_account: (provider) =>
      `Mit ${provider} können Sie hier kein Konto erstellen. Melden Sie sich auf andere Weise an, oder bitten Sie um eine Einladung.`,
  },
  errorId: (id) => `Fehler-ID: ${id}`,
  unknown: "Diese Anmeldung kann nicht abgeschlossen werden",
  unknownText: "Sie wurde in einem anderen Browser begonnen, hat zu lange gedauert oder ist schon abgeschlossen. Beginnen Sie noch einmal.",
  invalidText: (provider) => `Die Antwort von ${provider} war nicht gültig, deshalb wurde niemand angemeldet. Beginnen Sie noch einmal.`,
  startAgain: "Noch einmal beginnen",
  title: "Verbundene Konten",
  lead: "Melden Sie sich mit einem Konto an, das Sie anderswo schon haben.",
  connect: (provider) => `${provider} verbinden`,
  remove: "Entfernen",
  removeLabel: (provider) => `${provider} entfernen`,
  connectedSince: (when) => `Verbunden ${when}`,
  lastUsed: (when) => `zuletzt verwendet ${when}`,
  switchedOff: "Kann zurzeit nicht zur Anmeldung verwendet werden.",
  lastWayIn: "Das ist der einzige Weg in Ihr Konto. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen Passkey hinzu.",
  notices: {
    identity_connected: "Das Konto ist verbunden. Sie können sich ab jetzt damit anmelden.",
    identity_removed: "Die Verbindung wurde entfernt.",
    identity_gone: "Diese Verbindung hat sich geändert. Sehen Sie in der Liste nach.",
  },
  signedOut: "Sie sind abgemeldet",
  stillSignedIn: (provider) => `In diesem Browser sind Sie noch bei ${provider} angemeldet.`,
  alsoSignOut: (provider) => `Auch bei ${provider} abmelden`,
  signInAgain: "Wieder anmelden",
};
