import type { Texts } from "../texts.ts";

export const consent: Texts["consent"] = {
  title: (app: string) => `Autoriser ${app} ?`,
  heading: "{app} souhaite accéder à votre compte",
  redirect: "Vous serez redirigé vers {host}.",
  unverified:
    "Nous ne pouvons pas vérifier qu’il s’agit bien de {app} : n’importe quel programme de votre appareil peut se faire passer pour elle. Continuez uniquement si vous venez de la lancer vous-même.",
  selfRegistered: "Cette application s’est enregistrée elle-même et nous ne l’avons pas vérifiée. Son nom peut être trompeur.",
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
