import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Connexion",
  continueTo: "pour continuer vers {app}",
  welcome: "Heureux de vous revoir.",
  alreadySignedIn: "Vous êtes déjà connecté en tant que {email}. Reconnectez-vous ci-dessous ou accédez à {account}.",
  yourAccount: "votre compte",
  email: "E-mail",
  password: "Mot de passe",
  keepSignedIn: "Rester connecté",
  submit: "Se connecter",
  forgotPassword: "Mot de passe oublié ?",
  or: "ou",
  newHere: "Nouveau ici ?",
  createAccount: "Créer un compte",
  incorrect: "E-mail ou mot de passe incorrect.",
  notices: {
    browser_confirmed: "Ce navigateur est confirmé. Saisissez votre mot de passe.",
    password_set: "Votre mot de passe est défini. Utilisez-le pour vous connecter.",
    password_set_elsewhere:
      "Votre mot de passe est défini. Retournez au navigateur dans lequel vous avez commencé, et connectez-vous pour continuer.",
  },
};
