import type { Texts } from "../texts.ts";

export const invitation: Texts["invitation"] = {
  title: "Einladung annehmen",
  text: "Erstellen Sie Ihr Konto für {email}.",
  name: "Name",
  password: "Passwort",
  accept: "Einladung annehmen",
  withPasskey: "Lieber ein Passkey?",
  acceptWithPasskey: "Mit Passkey annehmen",
  withPasskeyText: "Ihr Gerät erstellt ihn, und Sie brauchen kein Passwort.",
  otherTitle: "Sie sind angemeldet",
  otherText: "Diese Einladung ist für ein anderes Konto als {email}. Melden Sie sich ab und öffnen Sie den Link erneut.",
  signOut: "Abmelden",
  takenText: "Für {email} gibt es bereits ein Konto. Melden Sie sich damit an; die Einladung ist nicht nötig.",
  signIn: "Anmelden",
  deadTitle: "Diese Einladung gilt nicht mehr",
  deadText: "Sie wurde bereits angenommen, zurückgezogen oder ersetzt, oder sie ist abgelaufen. Bitten Sie um eine neue.",
};
