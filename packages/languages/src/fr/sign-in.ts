import type { Texts } from "../en/index.ts";

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
  enterPassword: "Saisissez votre mot de passe.",
  notices: {
    browser_confirmed: "Ce navigateur est confirmé. Saisissez votre mot de passe.",
    password_set: "Votre mot de passe est défini. Utilisez-le pour vous connecter.",
    password_set_elsewhere:
      "Votre mot de passe est défini. Retournez au navigateur dans lequel vous avez commencé, et connectez-vous pour continuer.",
  },
};

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
  elsewhere:
    "Ce lien ne fonctionne que dans le navigateur où vous l'avez demandé. Saisissez-y le code reçu par e-mail.",
  expiredTitle: "Ce lien a expiré",
  expired: "Un lien fonctionne une fois, pendant 10 minutes, et seul le plus récent est valable.",
  startAgain: "Aller à la connexion",
};

export const newBrowser: Texts["newBrowser"] = {
  title: "Confirmez ce navigateur",
  text: "De nombreux mots de passe incorrects ont été saisis pour {email}. Avant de vous connecter ici avec votre mot de passe, saisissez un code reçu par e-mail.",
  send: "Envoyer un code",
};

export const upstream: Texts["upstream"] = {
  continueWith: (provider) => `Continuer avec ${provider}`,
  signInWith: (provider) => `Se connecter avec ${provider}`,
  emailFirst: "Saisissez votre adresse e-mail pour continuer.",
  next: "Continuer",
  otherEmail: "Utiliser une autre adresse e-mail",
  prove: (provider) =>
    `Un compte existe déjà avec cette adresse e-mail. Connectez-vous-y une fois, et vous pourrez ensuite utiliser ${provider}.`,
  problems: {
    denied: (provider) => `La connexion avec ${provider} a été annulée.`,
    unreachable: (provider) =>
      `${provider} ne répond pas pour le moment. Réessayez dans un instant ou connectez-vous autrement.`,
    exchange_refused: (provider) => `${provider} a interrompu la connexion. Réessayez ou connectez-vous autrement.`,
    sign_in_too_old: (provider) =>
      `${provider} n’a pas confirmé que vous venez de vous connecter. Connectez-vous autrement.`,
    tenant_unknown: (provider) =>
      `Vous ne pouvez pas utiliser ce compte ${provider} ici. Utilisez celui de votre organisation.`,
    misconfigured: (provider) =>
      `La connexion avec ${provider} n’est pas configurée correctement. Connectez-vous autrement.`,
    other_domain: (provider) =>
      `Vous ne pouvez pas utiliser ce compte ${provider} ici. Utilisez celui de votre organisation.`,
    other_provider: () => "Votre organisation se connecte autrement. Saisissez votre adresse e-mail professionnelle.",
    other_account: (provider) => `Ce compte ${provider} n’est pas associé à votre compte. Choisissez-en un autre.`,
    connected_elsewhere: (provider) => `Ce compte ${provider} est déjà associé à un autre compte.`,
    signed_out: () => "Vous vous êtes déconnecté entre-temps. Connectez-vous à nouveau.",
    email_unverified: (provider) =>
      `${provider} n’a pas confirmé votre adresse e-mail. Connectez-vous autrement, puis associez ${provider} dans votre compte.`,
    no_account: (provider) =>
      `Vous ne pouvez pas créer de compte avec ${provider} ici. Connectez-vous autrement ou demandez une invitation.`,
  },
  errorId: (id) => `Identifiant de l’erreur : ${id}`,
  unknown: "Cette connexion ne peut pas aboutir",
  unknownText: "Elle a été commencée dans un autre navigateur, a pris trop de temps ou est déjà terminée. Recommencez.",
  invalidText: (provider) => `La réponse de ${provider} n’était pas valide : personne n’a été connecté. Recommencez.`,
  startAgain: "Recommencer",
  title: "Comptes associés",
  lead: "Connectez-vous avec un compte que vous avez déjà ailleurs.",
  connect: (provider) => `Associer ${provider}`,
  remove: "Supprimer",
  removeLabel: (provider) => `Supprimer ${provider}`,
  connectedSince: (when) => `Associé ${when}`,
  lastUsed: (when) => `dernière utilisation ${when}`,
  switchedOff: "Ne permet pas de se connecter pour le moment.",
  lastWayIn: "C’est le seul accès à votre compte. Définissez d’abord un mot de passe ou ajoutez une clé d’accès.",
  notices: {
    identity_connected: "Le compte est associé. Vous pouvez maintenant vous connecter avec.",
    identity_removed: "L’association a été supprimée.",
    identity_gone: "Cette association a changé. Consultez la liste ci-dessous.",
  },
  signedOut: "Vous êtes déconnecté",
  stillSignedIn: (provider) => `Vous êtes encore connecté à ${provider} dans ce navigateur.`,
  alsoSignOut: (provider) => `Se déconnecter aussi de ${provider}`,
  signInAgain: "Se connecter à nouveau",
};

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
  unverified:
    "Nous n’avons pas vérifié l’application qui vous a envoyé ici. Continuez uniquement si vous faites confiance à ce site.",
  signInAgain: "Se reconnecter",
  expired: "La page est restée ouverte trop longtemps, ou vous vous êtes reconnecté. Rien n’a changé.",
  tryAgain: "Réessayer",
};
