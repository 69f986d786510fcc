import type { Texts } from "../texts.ts";

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `${provider} se ha vinculado a tu cuenta`,
  linked: (provider, product) => `Ahora se puede iniciar sesión en tu cuenta de ${product} con ${provider}.`,
  removedSubject: (provider) => `${provider} se ha quitado de tu cuenta`,
  removed: (provider, product) => `Ya no se puede iniciar sesión en tu cuenta de ${product} con ${provider}.`,
};
