import type { Texts } from "../texts.ts";

export const emailSignIn: Texts["emailSignIn"] = {
  button: "M'envoyer un code par e-mail",
  title: "Consultez vos e-mails",
  sent: "S'il existe un compte pour {email}, nous y avons envoyé un code. Il est valable 10 minutes.",
  code: "Code",
  continue: "Continuer",
  again: "Envoyer un nouveau code",
  otherWay: "Se connecter autrement",
  wrongCode: "Ce code est incorrect ou a expiré. Vérifiez l'e-mail le plus récent ou demandez un nouveau code.",
  enterEmail: "Saisissez d'abord votre adresse e-mail.",
  linkTitle: "Se connecter",
  linkText: "Continuez pour vous connecter en tant que {email}.",
  signIn: "Se connecter",
  elsewhereTitle: "Saisissez le code dans la première fenêtre",
  elsewhere: "Ce lien ne fonctionne que dans le navigateur où vous l'avez demandé. Saisissez-y le code reçu par e-mail.",
  expiredTitle: "Ce lien a expiré",
  expired: "Un lien fonctionne une fois, pendant 10 minutes, et seul le plus récent est valable.",
  startAgain: "Aller à la connexion",
};
