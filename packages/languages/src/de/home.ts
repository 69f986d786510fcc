import type { Texts } from "../texts.ts";

export const home: Texts["home"] = {
  title: "Willkommen",
  heading: (product: string) => `Willkommen bei ${product}`,
  text: "Melden Sie sich an, um Ihr Konto und verbundene Apps zu verwalten.",
  account: "Ihr Konto",
  signIn: "Anmelden",
  console: "Konsole öffnen",
  developers: "Sie entwickeln eine App? Hier sind die {metadata}.",
  metadata: "Metadaten des Servers",
};
