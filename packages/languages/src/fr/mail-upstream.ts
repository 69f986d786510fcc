import type { Texts } from "../texts.ts";

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `${provider} a été associé à votre compte`,
  linked: (provider, product) => `${provider} permet désormais de se connecter à votre compte ${product}.`,
  removedSubject: (provider) => `${provider} a été supprimé de votre compte`,
  removed: (provider, product) => `${provider} ne permet plus de se connecter à votre compte ${product}.`,
};
