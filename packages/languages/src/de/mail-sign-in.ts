import type { Texts } from "../texts.ts";

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `Ihr Anmeldecode für ${product}`,
  typeCode: "Geben Sie diesen Code in dem Fenster ein, in dem Sie ihn angefordert haben:",
  orOpen: "Oder öffnen Sie diesen Link im selben Browser. Beides gilt einmal, 10 Minuten lang.",
  signIn: "Anmelden",
};
