export const mailUpstream = {
  linkedSubject: (provider: string) => `${provider} was connected to your account`,
  linked: (provider: string, product: string) => `${provider} can now be used to sign in to your account at ${product}.`,
  removedSubject: (provider: string) => `${provider} was removed from your account`,
  removed: (provider: string, product: string) => `${provider} can no longer be used to sign in to your account at ${product}.`,
};
