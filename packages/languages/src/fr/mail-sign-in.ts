import type { Texts } from "../texts.ts";

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `Votre code de connexion à ${product}`,
  typeCode: "Saisissez ce code dans la fenêtre où vous l'avez demandé :",
  orOpen: "Ou ouvrez ce lien dans le même navigateur. Les deux fonctionnent une fois, pendant 10 minutes.",
  signIn: "Se connecter",
};
