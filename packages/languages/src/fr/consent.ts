import type { Texts } from "../en/index.ts";

export const consent: Texts["consent"] = {
  title: (app: string) => `Autoriser ${app} ?`,
  heading: "{app} souhaite accéder à votre compte",
  redirect: "Vous serez redirigé vers {host}.",
  unverified:
    "Nous ne pouvons pas vérifier qu’il s’agit bien de {app} : n’importe quel programme de votre appareil peut se faire passer pour elle. Continuez uniquement si vous venez de la lancer vous-même.",
  selfRegistered:
    "Cette application s’est enregistrée elle-même et nous ne l’avons pas vérifiée. Son nom peut être trompeur.",
  selfDescribed: "Cette application se décrit elle-même sur {host}. Nous ne l’avons pas vérifiée.",
  onThisDevice: "Elle s’exécute sur cet appareil, où n’importe quel programme peut se faire passer pour {app}.",
  onlyIfStarted: "Continuez uniquement si vous venez de la lancer vous-même.",
  allowsAccount: "Cela lui permettra de voir que vous avez un compte",
  allowsAlso: "Cela lui permettra aussi de",
  allows: "Cela lui permettra de",
  allowedAlready: "Vous lui permettez déjà de",
  deny: "Refuser",
  allow: "Autoriser",
  revokeAnyTime: "Vous pouvez révoquer l’accès à tout moment dans {account}.",
  yourAccount: "votre compte",
  testRun: "Exécution de test",
  testRunText:
    "Vous avez lancé ceci dans la console pour tester {app}. Ce que vous autorisez n’est pas mémorisé et prend fin avec le test.",
};

export const device: Texts["device"] = {
  title: "Connecter un appareil",
  text: "Saisissez le code affiché sur votre appareil.",
  code: "Code",
  submit: "Continuer",
  wrongCode:
    "Ce code est incorrect ou a expiré. Vérifiez le code sur votre appareil, ou recommencez sur celui-ci pour en obtenir un nouveau.",
  confirmTitle: (app: string) => `Connecter ${app} ?`,
  confirmHeading: "Connecter {app} ?",
  confirmText: "Vérifiez que votre appareil affiche ce code.",
  warning:
    "Cela donne à un appareil l’accès à votre compte. Continuez uniquement si vous en êtes à l’origine et si l’appareil est près de vous. Si quelqu’un vous a envoyé ce code ou ce lien, choisissez Refuser.",
  requestedFrom: "Demandé depuis",
  requested: "Demandé",
  approved: { title: "Appareil connecté", text: "Revenez à votre appareil. Il continuera dans quelques secondes." },
  denied: {
    title: "Accès refusé",
    text: "L’appareil ne peut pas accéder à votre compte. Vous pouvez fermer cette page.",
  },
  manageApps: "Gérer les applications connectées",
};
