import type { Texts } from "../texts.ts";

export const home: Texts["home"] = {
  title: "Bienvenue",
  heading: (product: string) => `Bienvenue chez ${product}`,
  text: "Connectez-vous pour gérer votre compte et les applications connectées.",
  account: "Votre compte",
  signIn: "Se connecter",
  console: "Ouvrir la console",
  developers: "Vous créez une application ? Consultez les {metadata}.",
  metadata: "métadonnées du serveur",
};
