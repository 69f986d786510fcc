export const layout = {
  changeLanguage: "Change language",
  terms: "Terms",
  privacy: "Privacy",
  support: "Support",
  signOut: "Sign out",
  signedInAs: "Signed in as",
  notYou: "Not you?",
  environments: { development: "development", staging: "staging", production: "production" },
};
