import type { Texts } from "../texts.ts";

export const signUp: Texts["signUp"] = {
  title: "Créer un compte",
  continueTo: "pour continuer vers {app}",
  welcome: "Cela ne prend qu’une minute.",
  name: "Nom",
  email: "E-mail",
  password: "Mot de passe",
  passwordRule: "Au moins 15 caractères. Quelques mots au hasard conviennent bien.",
  submit: "Créer le compte",
  haveAccount: "Vous avez déjà un compte ?",
  signIn: "Se connecter",
  emailInvalid: "Saisissez une adresse e-mail comme nom@example.com.",
  emailRefused: "Vous ne pouvez pas créer de compte avec cette adresse e-mail. Essayez de vous connecter.",
  nameInvalid: "Saisissez un nom de 80 caractères au plus, sur une seule ligne.",
  emailDomain:
    "Vous ne pouvez pas créer de compte avec une adresse e-mail de ce domaine. Utilisez-en une autre ou demandez une invitation.",
  closedTitle: "Inscriptions fermées",
  closed: "Il faut une invitation pour créer un compte ici.",
};
