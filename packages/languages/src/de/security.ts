import type { Texts } from "../texts.ts";

export const security: Texts["security"] = {
  title: "Sicherheit",
  text: "Wie Sie sich anmelden und was Ihr Konto schützt.",
  notices: {
    password_changed: "Passwort geändert. Sie sind überall sonst abgemeldet.",
  },
};
