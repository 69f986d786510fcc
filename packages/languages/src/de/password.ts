import type { Texts } from "../texts.ts";

export const password: Texts["password"] = {
  rule: (least) => `Mindestens ${least} Zeichen. Ein paar zufällige Wörter eignen sich gut.`,
  problems: {
    missing: "Geben Sie ein Passwort ein.",
    too_short: (least) => `Verwenden Sie mindestens ${least} Zeichen. Ein paar zufällige Wörter sind leicht zu merken.`,
    too_long: (most) => `Verwenden Sie höchstens ${most} Zeichen.`,
    common: "Dieses Passwort steht auf den Listen, die Angreifer zuerst ausprobieren. Verwenden Sie stattdessen ein paar zufällige Wörter.",
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
