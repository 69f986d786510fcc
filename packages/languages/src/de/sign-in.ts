import type { Texts } from "../en/index.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  continueTo: "um mit {app} fortzufahren",
  welcome: "Willkommen zurück.",
  alreadySignedIn: "Sie sind bereits als {email} angemeldet. Melden Sie sich unten neu an oder gehen Sie zu {account}.",
  yourAccount: "Ihrem Konto",
  email: "E-Mail",
  password: "Passwort",
  keepSignedIn: "Angemeldet bleiben",
  submit: "Anmelden",
  forgotPassword: "Passwort vergessen?",
  or: "oder",
  newHere: "Neu hier?",
  createAccount: "Konto erstellen",
  incorrect: "E-Mail oder Passwort ist falsch.",
  enterPassword: "Geben Sie Ihr Passwort ein.",
  notices: {
    browser_confirmed: "Dieser Browser ist bestätigt. Geben Sie Ihr Passwort ein.",
    password_set: "Ihr Passwort ist festgelegt. Melden Sie sich damit an.",
    password_set_elsewhere:
      "Ihr Passwort ist festgelegt. Kehren Sie zu dem Browser zurück, in dem Sie begonnen haben, und melden Sie sich dort an.",
  },
};

export const emailSignIn: Texts["emailSignIn"] = {
  button: "Code per E-Mail senden",
  title: "Sehen Sie in Ihr Postfach",
  sent: "Falls es ein Konto für {email} gibt, haben wir einen Code dorthin gesendet. Er gilt 10 Minuten.",
  code: "Code",
  continue: "Weiter",
  again: "Neuen Code senden",
  otherWay: "Anders anmelden",
  wrongCode:
    "Der Code ist falsch oder abgelaufen. Sehen Sie in der neuesten E-Mail nach oder fordern Sie einen neuen Code an.",
  enterEmail: "Geben Sie zuerst Ihre E-Mail-Adresse ein.",
  linkTitle: "Anmelden",
  linkText: "Weiter, um sich als {email} anzumelden.",
  signIn: "Anmelden",
  elsewhereTitle: "Geben Sie den Code im ersten Fenster ein",
  elsewhere:
    "Dieser Link funktioniert nur in dem Browser, in dem Sie ihn angefordert haben. Geben Sie dort den Code aus der E-Mail ein.",
  expiredTitle: "Dieser Link ist abgelaufen",
  expired: "Links gelten einmal, 10 Minuten lang, und nur der neueste funktioniert.",
  startAgain: "Zur Anmeldung",
};

export const newBrowser: Texts["newBrowser"] = {
  title: "Diesen Browser bestätigen",
  text: "Für {email} wurden viele falsche Passwörter eingegeben. Bevor Sie sich hier mit Ihrem Passwort anmelden, geben Sie einen Code aus einer E-Mail ein.",
  send: "Code senden",
};

export const upstream: Texts["upstream"] = {
  continueWith: (provider) => `Weiter mit ${provider}`,
  signInWith: (provider) => `Mit ${provider} anmelden`,
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
    tenant_unknown: (provider) =>
      `Dieses ${provider}-Konto können Sie hier nicht verwenden. Nehmen Sie das Ihrer Organisation.`,
    misconfigured: (provider) =>
      `Die Anmeldung mit ${provider} ist nicht richtig eingerichtet. Melden Sie sich auf andere Weise an.`,
    other_domain: (provider) =>
      `Dieses ${provider}-Konto können Sie hier nicht verwenden. Nehmen Sie das Ihrer Organisation.`,
    other_provider: () =>
      "Ihre Organisation meldet sich auf andere Weise an. Geben Sie Ihre geschäftliche E-Mail-Adresse ein.",
    other_account: (provider) =>
      `Dieses ${provider}-Konto ist nicht mit Ihrem Konto verbunden. Wählen Sie ein anderes.`,
    connected_elsewhere: (provider) => `Dieses ${provider}-Konto ist bereits mit einem anderen Konto verbunden.`,
    signed_out: () => "Sie haben sich inzwischen abgemeldet. Melden Sie sich wieder an.",
    email_unverified: (provider) =>
      `${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Melden Sie sich auf andere Weise an und verbinden Sie ${provider} dann in Ihrem Konto.`,
    no_account: (provider) =>
      `Mit ${provider} können Sie hier kein Konto erstellen. Melden Sie sich auf andere Weise an, oder bitten Sie um eine Einladung.`,
  },
  errorId: (id) => `Fehler-ID: ${id}`,
  unknown: "Diese Anmeldung kann nicht abgeschlossen werden",
  unknownText:
    "Sie wurde in einem anderen Browser begonnen, hat zu lange gedauert oder ist schon abgeschlossen. Beginnen Sie noch einmal.",
  invalidText: (provider) =>
    `Die Antwort von ${provider} war nicht gültig, deshalb wurde niemand angemeldet. Beginnen Sie noch einmal.`,
  startAgain: "Noch einmal beginnen",
  title: "Verbundene Konten",
  lead: "Melden Sie sich mit einem Konto an, das Sie anderswo schon haben.",
  connect: (provider) => `${provider} verbinden`,
  remove: "Entfernen",
  removeLabel: (provider) => `${provider} entfernen`,
  connectedSince: (when) => `Verbunden ${when}`,
  lastUsed: (when) => `zuletzt verwendet ${when}`,
  switchedOff: "Kann zurzeit nicht zur Anmeldung verwendet werden.",
  lastWayIn:
    "Das ist der einzige Weg in Ihr Konto. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen Passkey hinzu.",
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

export const logout: Texts["logout"] = {
  title: "Abmelden?",
  text: "{app} möchte Sie abmelden. Apps, bei denen Sie sich in diesem Browser angemeldet haben, werden benachrichtigt.",
  textWithEmail:
    "{app} möchte Sie abmelden ({email}). Apps, bei denen Sie sich in diesem Browser angemeldet haben, werden benachrichtigt.",
  anApp: "Eine App",
  stay: "Angemeldet bleiben",
  submit: "Abmelden",
  doneTitle: "Sie sind abgemeldet",
  done: "Ihre Sitzung in diesem Browser ist beendet.",
  unverified:
    "Wir haben die App, die Sie hierher geschickt hat, nicht geprüft. Fahren Sie nur fort, wenn Sie dieser Website vertrauen.",
  signInAgain: "Wieder anmelden",
  expired: "Die Seite war zu lange geöffnet, oder Sie haben sich neu angemeldet. Es hat sich nichts geändert.",
  tryAgain: "Erneut versuchen",
};
