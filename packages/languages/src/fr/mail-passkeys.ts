import type { Texts } from "../texts.ts";

export const mailPasskeys: Texts["mailPasskeys"] = {
  addedSubject: "Une clé d’accès a été ajoutée à votre compte",
  added: "Une clé d’accès a été ajoutée à votre compte. Elle permet de se connecter.",
  removedSubject: "Une clé d’accès a été supprimée de votre compte",
  removed: "Une clé d’accès a été supprimée de votre compte. Elle ne permet plus de se connecter.",
  clonedSubject: "Une connexion avec l’une de vos clés d’accès a été bloquée",
  cloned: "Une connexion avec l’une de vos clés d’accès a été bloquée : sa clé de sécurité a peut-être été copiée.",
  clonedAdvice: "Supprimez cette clé d’accès sur votre page de sécurité et ajoutez-en une autre avec une clé de sécurité de confiance.",
};
