export const home = {
  title: "Welcome",
  heading: (product: string) => `Welcome to ${product}`,
  text: "Sign in to manage your account and connected apps.",
  account: "Your account",
  signIn: "Sign in",
  console: "Open the console",
  developers: "Building an app? See the {metadata}.",
  metadata: "server metadata",
};
