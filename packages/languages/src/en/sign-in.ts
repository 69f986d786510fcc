export const signIn = {
  title: "Sign in",
  continueTo: "to continue to {app}",
  welcome: "Welcome back.",
  alreadySignedIn: "You're already signed in as {email}. Sign in again below, or go to {account}.",
  yourAccount: "your account",
  email: "Email",
  password: "Password",
  keepSignedIn: "Keep me signed in",
  submit: "Sign in",
  forgotPassword: "Forgot password?",
  or: "or",
  newHere: "New here?",
  createAccount: "Create an account",
  incorrect: "Incorrect email or password.",
  enterPassword: "Enter your password.",
  notices: {
    browser_confirmed: "This browser is confirmed. Enter your password.",
    password_set: "Your password is set. Sign in with it.",
    password_set_elsewhere:
      "Your password is set. Go back to the browser where you started, and sign in there to continue.",
  },
};

/** Sign-in by mail: the button on /sign-in, and /sign-in/code. */
export const emailSignIn = {
  button: "Email me a code",
  title: "Check your email",
  sent: "If there's an account for {email}, we've sent a code to it. It works for 10 minutes.",
  code: "Code",
  continue: "Continue",
  again: "Send a new code",
  otherWay: "Sign in another way",
  wrongCode: "That code isn't right, or it has expired. Check the newest email, or send a new code.",
  enterEmail: "Enter your email address first.",
  linkTitle: "Sign in",
  linkText: "Continue to sign in as {email}.",
  signIn: "Sign in",
  elsewhereTitle: "Use the code in the first window",
  elsewhere: "This link works only in the browser where you asked for it. Type the code from the email there.",
  expiredTitle: "This link has expired",
  expired: "Links work once, for 10 minutes, and only the newest one does.",
  startAgain: "Go to sign-in",
};

/** /sign-in/new-browser: a code before a password, after many failures. */
export const newBrowser = {
  title: "Confirm this browser",
  text: "There were many wrong passwords for {email}. Before you sign in with your password here, enter a code from an email.",
  send: "Send a code",
};

/** Signing in at a provider such as Google. `provider`: its name. */
export const upstream = {
  continueWith: (provider: string) => `Continue with ${provider}`,
  signInWith: (provider: string) => `Sign in with ${provider}`,
  emailFirst: "Enter your email to continue.",
  next: "Continue",
  otherEmail: "Use another email",
  prove: (provider: string) =>
    `There's already an account with this email. Sign in to it once, and you can use ${provider} from then on.`,
  problems: {
    denied: (provider: string) => `The sign-in with ${provider} was cancelled.`,
    unreachable: (provider: string) =>
      `We can't reach ${provider} right now. Try again in a moment, or sign in another way.`,
    exchange_refused: (provider: string) => `${provider} rejected the sign-in. Try again, or sign in another way.`,
    sign_in_too_old: (provider: string) =>
      `${provider} didn't confirm that you've just signed in. Sign in another way.`,
    tenant_unknown: (provider: string) =>
      `You can't use this ${provider} account here. Use your organization's account.`,
    misconfigured: (provider: string) => `Signing in with ${provider} isn't set up correctly. Sign in another way.`,
    other_domain: (provider: string) => `You can't use this ${provider} account here. Use your organization's account.`,
    other_provider: () => "Your organization signs in another way. Enter your work email to continue.",
    other_account: (provider: string) =>
      `This ${provider} account isn't connected to your account. Choose another one.`,
    connected_elsewhere: (provider: string) => `This ${provider} account is already connected to another account.`,
    signed_out: () => "You've signed out in the meantime. Sign in again.",
    email_unverified: (provider: string) =>
      `${provider} didn't confirm your email. Sign in another way, then connect ${provider} in your account.`,
    no_account: (provider: string) =>
      `You can't create an account with ${provider} here. Sign in another way, or ask for an invitation.`,
  },
  errorId: (id: string) => `Error ID: ${id}`,
  unknown: "We can't complete this sign-in",
  unknownText: "It was started in another browser, took too long, or was already completed. Start again.",
  invalidText: (provider: string) =>
    `The response from ${provider} was invalid, so we didn't sign you in. Start again.`,
  startAgain: "Start again",
  title: "Connected accounts",
  lead: "Sign in with an account you already have elsewhere.",
  connect: (provider: string) => `Connect ${provider}`,
  remove: "Remove",
  removeLabel: (provider: string) => `Remove ${provider}`,
  connectedSince: (when: string) => `Connected ${when}`,
  lastUsed: (when: string) => `last used ${when}`,
  switchedOff: "Can't be used to sign in at the moment.",
  lastWayIn: "This is your only way to sign in. Set a password or add a passkey first.",
  notices: {
    identity_connected: "The account is connected. You can sign in with it from now on.",
    identity_removed: "The connection was removed.",
    identity_gone: "This connection has changed. Check the list below.",
  },
  signedOut: "You're signed out",
  stillSignedIn: (provider: string) => `You're still signed in to ${provider} in this browser.`,
  alsoSignOut: (provider: string) => `Also sign out of ${provider}`,
  signInAgain: "Sign in again",
};

export const logout = {
  title: "Sign out?",
  text: "{app} wants to sign you out. Apps that you signed in to in this browser will be notified.",
  textWithEmail: "{app} wants to sign you out ({email}). Apps that you signed in to in this browser will be notified.",
  anApp: "An app",
  stay: "Stay signed in",
  submit: "Sign out",
  doneTitle: "You're signed out",
  done: "Your session in this browser has ended.",
  unverified: "We haven't verified the app that sent you here. Continue only if you trust this site.",
  signInAgain: "Sign in again",
  expired: "The page was open for too long, or you signed in again. Nothing has changed.",
  tryAgain: "Try again",
};
