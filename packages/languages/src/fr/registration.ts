import type { Texts } from "../en/index.ts";

export const signUp: Texts["signUp"] = {
  title: "Créer un compte",
  continueTo: "pour continuer vers {app}",
  welcome: "Cela ne prend qu’une minute.",
  name: "Nom",
  email: "E-mail",
  password: "Mot de passe",
  submit: "Créer le compte",
  withPasskey: "S’inscrire avec une clé d’accès",
  withPasskeyText:
    "Votre appareil la crée avec votre empreinte, votre visage ou le verrouillage de l’écran, sans mot de passe.",
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

export const invitation: Texts["invitation"] = {
  title: "Accepter votre invitation",
  text: "Créez votre compte pour {email}.",
  textBy: "{inviter} vous invite à créer un compte pour {email}.",
  name: "Nom",
  password: "Mot de passe",
  accept: "Accepter l'invitation",
  withPasskey: "Vous préférez une passkey ?",
  acceptWithPasskey: "Accepter avec une passkey",
  withPasskeyText: "Votre appareil en crée une, et vous n'avez pas besoin de mot de passe.",
  otherTitle: "Vous êtes connecté",
  otherText:
    "Cette invitation est destinée à un autre compte que {email}. Déconnectez-vous, puis ouvrez de nouveau le lien.",
  signOut: "Se déconnecter",
  takenText:
    "Il existe déjà un compte pour {email}. Connectez-vous avec ce compte ; l'invitation n'est pas nécessaire.",
  signIn: "Se connecter",
  deadTitle: "Cette invitation ne fonctionne plus",
  deadText: "Elle a déjà été acceptée, retirée ou remplacée, ou elle a expiré. Demandez-en une nouvelle.",
};

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
  takenText:
    "Connectez-vous avec votre adresse e-mail. Si vous avez oublié votre mot de passe, vous pouvez le réinitialiser.",
  requiredTitle: "Vérifiez votre adresse e-mail",
  required: "{app} demande une adresse e-mail vérifiée. Nous enverrons un code à {email}.",
  sendCode: "Envoyer le code",
  banner: "Votre adresse e-mail n'est pas encore vérifiée.",
  bannerAction: "Vérifier votre adresse e-mail",
  unavailable:
    "L'e-mail n'est pas configuré sur ce serveur, votre adresse ne peut donc pas être confirmée. Demandez de l'aide à un administrateur.",
  verified: "Votre adresse e-mail est vérifiée.",
};

export const email: Texts["email"] = {
  title: "Changer votre adresse e-mail",
  current: "Vous vous connectez avec {email}.",
  newEmail: "Nouvelle adresse e-mail",
  submit: "Changer l'adresse e-mail",
  sentTo:
    "Si {email} peut être utilisée, nous y avons envoyé un code. Votre compte garde son ancienne adresse jusqu'à ce que vous saisissiez le code.",
  code: "Code",
  verify: "Vérifier",
  startAgain: "Utiliser une autre adresse e-mail",
  invalid: "Saisissez une adresse e-mail comme nom@example.com.",
  same: "C'est déjà l'adresse e-mail de votre compte. Saisissez-en une autre.",
  domain: "Les adresses e-mail de ce domaine ne sont pas acceptées ici.",
  cancelled: "Ce changement a été remplacé ou annulé. Recommencez.",
  unavailable:
    "L'e-mail n'est pas configuré sur ce serveur, les adresses ne peuvent donc pas être confirmées. Demandez à un administrateur de la changer.",
  changed: "Votre adresse e-mail est changée. Vos autres appareils sont déconnectés.",
};
