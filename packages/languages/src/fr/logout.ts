import type { Texts } from "../texts.ts";

export const logout: Texts["logout"] = {
  title: "Se déconnecter ?",
  text: "{app} souhaite vous déconnecter. Les applications auxquelles vous vous êtes connecté dans ce navigateur seront prévenues.",
  textWithEmail:
    "{app} souhaite vous déconnecter ({email}). Les applications auxquelles vous vous êtes connecté dans ce navigateur seront prévenues.",
  anApp: "Une application",
  stay: "Rester connecté",
  submit: "Se déconnecter",
  doneTitle: "Vous êtes déconnecté",
  done: "Votre session dans ce navigateur est terminée.",
  unverified: "Nous n’avons pas vérifié l’application qui vous a envoyé ici. Continuez uniquement si vous faites confiance à ce site.",
  signInAgain: "Se reconnecter",
  expired: "La page est restée ouverte trop longtemps, ou vous vous êtes reconnecté. Rien n’a changé.",
  tryAgain: "Réessayer",
};
