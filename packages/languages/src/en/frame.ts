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

export const errors = {
  invalid: "We can't complete this request",
  failed: "Something went wrong",
  refused:
    "The app that sent you here made an invalid request. Nothing was shared with it. Only its developers can fix this.",
  invalidRequest: "The app made an invalid request. Nothing was shared with it.",
  denied: "Access denied",
  nothingShared: "Nothing was shared with the app.",
  leave: "We haven't verified this app. Continue only if you trust {host}.",
  continueTo: (host: string) => `Continue to ${host}`,
  expired: "This request expired",
  expiredText: "It took too long, or you've signed in again. Nothing was shared.",
  goBack: "Go back to the app that sent you here and try again.",
  restartText: "Start again to continue.",
  restart: "Start again",
  account: "Go to your account",
  home: "Go to the home page",
  signIn: "Go to sign-in",
  errorId: "Error ID: {id}. Include it when you contact support.",
  seeWhy: "See why in the console",
  method: (methods: string) => `This page only accepts ${methods} requests.`,
  reload: "Go back, reload the page and try again.",
  outOfDate: "This page is out of date",
  outOfDateText:
    "Since you opened this page, another link was opened or another account was signed in to in this browser. Nothing was changed. Open the link in your email again, or start again from your account.",
  csrf: "This form expired or was sent from another site. Reload the page and try again.",
  cookiesLost:
    "Your browser no longer had the cookies of this page, so nothing was sent. Please try again. If this message comes back, allow cookies for this site.",
  tooManyCookies: "Too many cookies",
  tooManyCookiesText:
    "Your browser sent more cookies than this site accepts, most of them from other sites of the same domain. Delete the cookies of this domain in your browser’s settings, or use a private window, then open the page again.",
  internal: "Something failed on our side. Try again in a moment.",
  unavailable: "The service is busy or being maintained. Try again in a moment.",
  busy: "We’re busy right now",
  busyText: "Too many people are using this service at once, so nothing was done. Try again in a few seconds.",
  notFound: "Page not found",
  notFoundText: "There's no page at this address. The link may be out of date or incomplete.",
  tooMany: "Too many attempts",
  tooManyText: (wait: string) => `To keep accounts safe, we've paused this for now. Try again in ${wait}.`,
};

export const formPost = {
  title: "Returning to the app",
  text: "If nothing happens, press the button.",
};
