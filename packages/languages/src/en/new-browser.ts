/** /sign-in/new-browser: a code before a password, after many failures. */
export const newBrowser = {
  title: "Confirm this browser",
  text: "There were many wrong passwords for {email}. Before you sign in with your password here, enter a code from an email.",
  send: "Send a code",
};
