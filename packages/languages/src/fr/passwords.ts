import type { Texts } from "../en/index.ts";

export const password: Texts["password"] = {
  rule: (least) =>
    `Au moins ${least} caractères : c’est la longueur qui rend un mot de passe difficile à deviner. Quelques mots au hasard conviennent bien.`,
  show: "Afficher le mot de passe",
  problems: {
    missing: "Saisissez un mot de passe.",
    too_short: (least) => `Utilisez au moins ${least} caractères. Quelques mots au hasard sont faciles à retenir.`,
    too_long: (most) => `Utilisez au plus ${most} caractères.`,
    common:
      "Ce mot de passe figure sur les listes que les pirates essaient en premier. Utilisez plutôt quelques mots au hasard.",
    personal:
      "Votre mot de passe ne peut pas être votre nom, votre adresse e-mail ou le nom d’une application. Utilisez plutôt quelques mots au hasard.",
    repetition: "Ce mot de passe répète un texte court. Utilisez plutôt quelques mots au hasard.",
    run: "Ce mot de passe est une suite de lettres, de chiffres ou de touches voisines. Utilisez plutôt quelques mots au hasard.",
    breached:
      "Ce mot de passe a été divulgué dans une fuite de données, et les pirates l’essaient. Utilisez plutôt quelques mots au hasard.",
    same: "C’est votre mot de passe actuel. Choisissez-en un autre.",
  },
  title: "Changer le mot de passe",
  text: "Vos autres appareils sont déconnectés.",
  setTitle: "Définir un mot de passe",
  setText:
    "Votre compte n’a pas encore de mot de passe. Avec un mot de passe, vous pourrez aussi vous connecter de cette façon.",
  current: "Mot de passe actuel",
  new: "Nouveau mot de passe",
  disconnectApps: "Déconnecter aussi les applications",
  change: "Changer le mot de passe",
  set: "Définir le mot de passe",
  currentWrong: "Le mot de passe actuel est incorrect.",
  section: "Mot de passe",
  lastChanged: (ago) => `Modifié ${ago}.`,
  unchanged: "Vous vous connectez avec votre mot de passe.",
  none: "Votre compte n’a pas de mot de passe.",
  mustChangeTitle: "Choisissez un nouveau mot de passe",
  mustChangeText: "Avant de continuer, choisissez un nouveau mot de passe pour {email}.",
  mustChangeLate: "Le délai est dépassé. Connectez-vous à nouveau.",
};

export const reset: Texts["reset"] = {
  title: "Réinitialiser votre mot de passe",
  text: "Saisissez l’adresse e-mail de votre compte. Nous vous enverrons un lien pour choisir un nouveau mot de passe.",
  email: "E-mail",
  send: "Envoyer le lien",
  emailInvalid: "Saisissez une adresse e-mail comme nom@example.com.",
  sentTitle: "Consultez votre messagerie",
  sentText: "S’il existe un compte pour {email}, nous y avons envoyé un lien. Il est valable 30 minutes.",
  sentMore:
    "Aucun e-mail ? Regardez dans vos courriers indésirables, ou vérifiez que c’est bien l’adresse de votre compte.",
  again: "Essayer une autre adresse",
  back: "Retour à la connexion",
  off: "Ce serveur ne peut pas envoyer d’e-mails. Demandez à un administrateur un lien pour définir un nouveau mot de passe.",
  newTitle: "Choisissez un nouveau mot de passe",
  newText: "Pour votre compte {email}. Vous serez déconnecté partout.",
  new: "Nouveau mot de passe",
  recoveryCode: "Code de récupération",
  recoveryText:
    "Vous vous connectez avec une clé d’accès : nous avons donc aussi besoin d’un de vos codes de récupération.",
  recoveryWrong: "Ce code de récupération est incorrect ou a déjà été utilisé.",
  set: "Définir le mot de passe",
  deadTitle: "Ce lien ne fonctionne plus",
  deadText:
    "Il a déjà été utilisé, date de plus de 30 minutes, ou un lien plus récent a été envoyé. Demandez-en un nouveau.",
  askAgain: "Envoyer un nouveau lien",
};
