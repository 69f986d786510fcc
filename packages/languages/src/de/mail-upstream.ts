import type { Texts } from "../texts.ts";

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `${provider} wurde mit Ihrem Konto verbunden`,
  linked: (provider, product) => `Mit ${provider} kann man sich jetzt bei Ihrem Konto bei ${product} anmelden.`,
  removedSubject: (provider) => `${provider} wurde aus Ihrem Konto entfernt`,
  removed: (provider, product) => `Mit ${provider} kann man sich nicht mehr bei Ihrem Konto bei ${product} anmelden.`,
};
