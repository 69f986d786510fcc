import { plural } from "../amounts.ts";
import type { Texts } from "../texts.ts";

export const mailFactors: Texts["mailFactors"] = {
  totp_on: {
    subject: (product) => `Bestätigung in zwei Schritten für ${product} ist aktiv`,
    happened: "Für Ihr Konto wurde eine Authenticator-App eingerichtet. Jede Anmeldung mit Ihrem Passwort verlangt jetzt einen Code.",
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
