import type { Texts } from "../en/index.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "Changer de langue",
  terms: "Conditions",
  privacy: "Confidentialité",
  support: "Aide",
  signOut: "Se déconnecter",
  signedInAs: "Connecté en tant que",
  notYou: "Ce n’est pas vous ?",
  environments: { development: "développement", staging: "préproduction", production: "production" },
};

export const home: Texts["home"] = {
  title: "Bienvenue",
  heading: (product: string) => `Bienvenue chez ${product}`,
  text: "Connectez-vous pour gérer votre compte et les applications connectées.",
  account: "Votre compte",
  signIn: "Se connecter",
  console: "Ouvrir la console",
  developers: "Vous créez une application ? Consultez les {metadata}.",
  metadata: "métadonnées du serveur",
};

export const errors: Texts["errors"] = {
  invalid: "Nous ne pouvons pas traiter cette demande",
  failed: "Une erreur s’est produite",
  refused:
    "L’application qui vous a envoyé ici a fait une demande non valide. Rien ne lui a été communiqué. Seuls ses développeurs peuvent y remédier.",
  invalidRequest: "L’application a fait une demande non valide. Rien ne lui a été communiqué.",
  denied: "Accès refusé",
  nothingShared: "Rien n’a été communiqué à l’application.",
  leave: "Nous n’avons pas vérifié cette application. Continuez uniquement si vous faites confiance à {host}.",
  continueTo: (host: string) => `Continuer vers ${host}`,
  expired: "Cette demande a expiré",
  expiredText: "Elle a pris trop de temps, ou vous vous êtes reconnecté. Rien n’a été communiqué.",
  goBack: "Revenez à l’application qui vous a envoyé ici et réessayez.",
  restartText: "Recommencez pour continuer.",
  restart: "Recommencer",
  account: "Aller à votre compte",
  home: "Aller à la page d’accueil",
  signIn: "Aller à la connexion",
  errorId: "Identifiant de l’erreur : {id}. Indiquez-le lorsque vous contactez l’assistance.",
  seeWhy: "Voir la cause dans la console",
  method: (methods: string) => `Cette page n’accepte que les requêtes ${methods}.`,
  reload: "Revenez en arrière, rechargez la page et réessayez.",
  outOfDate: "Cette page n’est plus à jour",
  outOfDateText:
    "Depuis que vous avez ouvert cette page, un autre lien a été ouvert ou un autre compte s’est connecté dans ce navigateur. Rien n’a été modifié. Ouvrez de nouveau le lien reçu par e-mail ou recommencez depuis votre compte.",
  csrf: "Ce formulaire ne vient pas de notre page, ou la page est restée ouverte trop longtemps. Rechargez-la et réessayez.",
  cookiesLost:
    "Votre navigateur n’avait plus les cookies de cette page, donc rien n’a été envoyé. Veuillez réessayer. Si ce message revient, autorisez les cookies pour ce site.",
  tooManyCookies: "Trop de cookies",
  tooManyCookiesText:
    "Votre navigateur a envoyé plus de cookies que ce site n’en accepte, la plupart provenant d’autres sites du même domaine. Supprimez les cookies de ce domaine dans les réglages de votre navigateur, ou utilisez une fenêtre privée, puis rouvrez la page.",
  internal: "Une erreur s’est produite de notre côté. Réessayez dans un instant.",
  unavailable: "Le service est surchargé ou en maintenance. Réessayez dans un instant.",
  busy: "Le service est très sollicité",
  busyText:
    "Trop de personnes utilisent ce service en même temps : rien n’a été fait. Réessayez dans quelques secondes.",
  notFound: "Page introuvable",
  notFoundText: "Il n’y a pas de page à cette adresse. Le lien est peut-être périmé ou incomplet.",
  tooMany: "Trop de tentatives",
  tooManyText: (wait: string) => `Pour protéger les comptes, nous faisons une pause. Réessayez dans ${wait}.`,
};

export const formPost: Texts["formPost"] = {
  title: "Retour à l’application",
  text: "Si rien ne se passe, appuyez sur le bouton.",
};
