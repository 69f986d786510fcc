import type { Texts } from "../en/index.ts";

export const password: Texts["password"] = {
  rule: (least) =>
    `Mindestens ${least} Zeichen, denn lange Passwörter sind schwer zu erraten. Ein paar zufällige Wörter eignen sich gut.`,
  show: "Passwort anzeigen",
  problems: {
    missing: "Geben Sie ein Passwort ein.",
    too_short: (least) => `Verwenden Sie mindestens ${least} Zeichen. Ein paar zufällige Wörter sind leicht zu merken.`,
    too_long: (most) => `Verwenden Sie höchstens ${most} Zeichen.`,
    common:
      "Dieses Passwort steht auf den Listen, die Angreifer zuerst ausprobieren. Verwenden Sie stattdessen ein paar zufällige Wörter.",
    personal:
      "Ihr Passwort darf nicht Ihr Name, Ihre E-Mail-Adresse oder der Name einer App sein. Verwenden Sie stattdessen ein paar zufällige Wörter.",
    repetition: "Dieses Passwort wiederholt einen kurzen Text. Verwenden Sie stattdessen ein paar zufällige Wörter.",
    run: "Dieses Passwort ist eine Folge benachbarter Buchstaben, Ziffern oder Tasten. Verwenden Sie stattdessen ein paar zufällige Wörter.",
    breached:
      "Dieses Passwort ist bei einem Datenleck bekannt geworden, deshalb probieren Angreifer es aus. Verwenden Sie stattdessen ein paar zufällige Wörter.",
    same: "Das ist Ihr aktuelles Passwort. Wählen Sie ein anderes.",
  },
  title: "Passwort ändern",
  text: "Ihre anderen Geräte werden abgemeldet.",
  setTitle: "Passwort festlegen",
  setText: "Ihr Konto hat noch kein Passwort. Mit einem Passwort können Sie sich auch damit anmelden.",
  current: "Aktuelles Passwort",
  new: "Neues Passwort",
  disconnectApps: "Auch Apps trennen",
  change: "Passwort ändern",
  set: "Passwort festlegen",
  currentWrong: "Das aktuelle Passwort ist falsch.",
  section: "Passwort",
  lastChanged: (ago) => `Geändert ${ago}.`,
  unchanged: "Sie melden sich mit Ihrem Passwort an.",
  none: "Ihr Konto hat kein Passwort.",
  mustChangeTitle: "Neues Passwort wählen",
  mustChangeText: "Bevor Sie fortfahren, wählen Sie ein neues Passwort für {email}.",
  mustChangeLate: "Das hat zu lange gedauert. Melden Sie sich erneut an.",
};

export const reset: Texts["reset"] = {
  title: "Passwort zurücksetzen",
  text: "Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
  email: "E-Mail",
  send: "Link senden",
  emailInvalid: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  sentTitle: "Sehen Sie in Ihrem Posteingang nach",
  sentText: "Wenn es ein Konto für {email} gibt, haben wir einen Link dorthin gesendet. Er gilt 30 Minuten.",
  sentMore:
    "Keine E-Mail erhalten? Sehen Sie im Spam-Ordner nach, oder prüfen Sie, ob es die Adresse Ihres Kontos ist.",
  again: "Andere Adresse versuchen",
  back: "Zurück zur Anmeldung",
  off: "Dieser Server kann keine E-Mails senden. Bitten Sie einen Administrator um einen Link, mit dem Sie ein neues Passwort festlegen.",
  newTitle: "Neues Passwort wählen",
  newText: "Für Ihr Konto {email}. Sie werden überall abgemeldet.",
  new: "Neues Passwort",
  recoveryCode: "Wiederherstellungscode",
  recoveryText: "Sie melden sich mit einem Passkey an, deshalb brauchen wir auch einen Ihrer Wiederherstellungscodes.",
  recoveryWrong: "Dieser Wiederherstellungscode ist falsch oder wurde schon verwendet.",
  set: "Passwort festlegen",
  deadTitle: "Dieser Link funktioniert nicht mehr",
  deadText:
    "Er wurde schon verwendet, ist älter als 30 Minuten, oder es wurde ein neuerer Link gesendet. Fordern Sie einen neuen an.",
  askAgain: "Neuen Link senden",
};
