import type { Texts } from "../texts.ts";

export const sessions: Texts["sessions"] = {
  title: "Wo Sie angemeldet sind",
  text: "Wenn Sie eine Sitzung nicht kennen, beenden Sie sie und ändern Sie Ihr Passwort.",
  browserOn: (browser: string, system: string) => `${browser} auf ${system}`,
  unknownBrowser: "Unbekannter Browser",
  thisDevice: "Dieses Gerät",
  unknownAddress: "Unbekannte Adresse",
  signedIn: (ago: string) => `angemeldet ${ago}`,
  lastSeen: (ago: string) => `zuletzt gesehen ${ago}`,
  methods: {
    password: "mit Ihrem Passwort",
    passkey: "mit einem Passkey",
    email_code: "mit einem Code per E-Mail",
    upstream: (provider: string) => `mit ${provider}`,
    sign_up: "beim Erstellen Ihres Kontos",
    invitation: "mit einer Einladung",
  },
  end: "Sitzung beenden",
  endOf: (browser: string) => `Sitzung beenden: ${browser}`,
  endOthers: "Überall sonst abmelden",
  alsoApps: "Auch alle Apps trennen",
  notices: {
    session_ended: "Sitzung beendet.",
    others_ended: "Sie sind überall sonst abgemeldet.",
    all_ended: "Sie sind überall sonst abgemeldet, und keine App hat Zugriff auf Ihr Konto.",
  },
};
