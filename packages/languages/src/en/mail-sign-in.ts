export const mailSignIn = {
  subject: (product: string) => `Your sign-in code for ${product}`,
  typeCode: "Type this code in the window where you asked for it:",
  orOpen: "Or open this link in the same browser. Both work once, for 10 minutes.",
  signIn: "Sign in",
};
