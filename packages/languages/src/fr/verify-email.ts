import type { Texts } from "../texts.ts";

export const verifyEmail: Texts["verifyEmail"] = {
  title: "Consultez vos e-mails",
  sentTo: "Si {email} peut être utilisée ici, nous y avons envoyé un code. Il est valable 10 minutes.",
  code: "Code",
  submit: "Vérifier",
  resend: "Envoyer un autre code",
  resent: "Nous avons envoyé un autre code. Les précédents ne fonctionnent plus.",
  otherAddress: "Utiliser une autre adresse e-mail",
  wrong: "Ce code est incorrect ou a expiré. Utilisez l'e-mail le plus récent ou demandez un autre code.",
  confirmTitle: "Confirmez votre adresse e-mail",
  confirmText: "Appuyez sur le bouton pour confirmer {email}.",
  elsewhereTitle: "Terminez la création de votre compte",
  elsewhereText:
    "Vous avez ouvert ce lien dans un autre navigateur que celui où vous avez commencé. Pour créer le compte de {email}, choisissez ici votre nom et votre mot de passe.",
  createAccount: "Créer le compte",
  name: "Nom",
  password: "Mot de passe",
  takeOverTitle: "Confirmez votre adresse e-mail",
  takeOverText: "Quelqu'un a créé un compte pour {email}. Si c'était vous, connectez-vous pour confirmer l'adresse.",
  signIn: "Se connecter",
  notMine: "Ce n'est pas votre compte, ou mot de passe oublié ?",
  notMineText:
    "Choisissez un nouveau mot de passe. Tout ce que contenait le compte jusqu'ici est supprimé et tous les autres appareils sont déconnectés.",
  newPassword: "Nouveau mot de passe",
  setPassword: "Définir le mot de passe",
  changeTitle: "Changer votre adresse e-mail",
  changeText: "Appuyez sur le bouton pour remplacer l'adresse e-mail de votre compte par {email}.",
  change: "Changer l'adresse e-mail",
  changeSignIn: "Pour remplacer l'adresse e-mail de votre compte par {email}, connectez-vous d'abord à ce compte.",
  undoTitle: "Annuler le changement",
  undoText:
    "{email} redevient l'adresse e-mail de votre compte, tous les appareils sont déconnectés, et les passkeys et autres moyens de connexion ajoutés depuis sont supprimés. Nous vous envoyons ensuite un lien pour choisir un nouveau mot de passe.",
  undo: "Annuler le changement",
  undone: "Le changement est annulé",
  undoneText:
    "Votre compte a retrouvé son ancienne adresse e-mail. Consultez vos e-mails : vous y trouverez le lien pour choisir un nouveau mot de passe.",
  undonePasskey:
    "Votre compte a retrouvé son ancienne adresse e-mail. Connectez-vous avec votre clé d’accès. Si ce n’est pas possible, vos e-mails vous indiquent quoi faire.",
  deadTitle: "Ce lien ne fonctionne plus",
  deadText: "Il a déjà été utilisé, remplacé par un plus récent, ou il a expiré.",
  takenTitle: "Vous avez déjà un compte",
  takenText: "Connectez-vous avec votre adresse e-mail. Si vous avez oublié votre mot de passe, vous pouvez le réinitialiser.",
  requiredTitle: "Vérifiez votre adresse e-mail",
  required: "{app} demande une adresse e-mail vérifiée. Nous enverrons un code à {email}.",
  sendCode: "Envoyer le code",
  banner: "Votre adresse e-mail n'est pas encore vérifiée.",
  bannerAction: "Vérifier votre adresse e-mail",
  unavailable:
    "L'e-mail n'est pas configuré sur ce serveur, votre adresse ne peut donc pas être confirmée. Demandez de l'aide à un administrateur.",
  verified: "Votre adresse e-mail est vérifiée.",
};
