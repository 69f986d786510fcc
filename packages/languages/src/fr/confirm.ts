import type { Texts } from "../texts.ts";

export const confirm: Texts["confirm"] = {
  title: "Confirmez que c’est bien vous",
  password: "Mot de passe",
  submit: "Continuer",
  incorrect: "Mot de passe incorrect.",
  doneTitle: "Merci, c’est bien vous",
  done: "Continuez pour effectuer la modification demandée.",
  text: "Vous êtes connecté en tant que {email}. Confirmez votre identité pour continuer.",
  code: "Code de votre application d'authentification ou code de secours",
  other: "Confirmer autrement",
  incorrectCode: "Code incorrect.",
};
