export const consent = {
  title: (app: string) => `Allow ${app}?`,
  heading: "{app} wants to access your account",
  redirect: "You'll be redirected to {host}.",
  unverified:
    "We can't verify that this is really {app}: any program on your device can pretend to be it. Continue only if you just started it yourself.",
  selfRegistered: "This app registered itself, and we haven't verified it. Its name may be misleading.",
  selfDescribed: "This app describes itself at {host}. We haven't verified it.",
  onThisDevice: "It runs on this device, where any program can pretend to be {app}.",
  onlyIfStarted: "Continue only if you just started this yourself.",
  allowsAccount: "This will allow it to see that you have an account",
  allowsAlso: "This will also allow it to",
  allows: "This will allow it to",
  allowedAlready: "You already allow it to",
  deny: "Deny",
  allow: "Allow",
  revokeAnyTime: "You can revoke access at any time in {account}.",
  yourAccount: "your account",
  testRun: "Test run",
  testRunText:
    "You started this in the console to test {app}. What you allow is not remembered and ends with the test.",
};

export const device = {
  title: "Connect a device",
  text: "Enter the code shown on your device.",
  code: "Code",
  submit: "Continue",
  wrongCode:
    "That code is incorrect or has expired. Check the code on your device, or start again there to get a new one.",
  confirmTitle: (app: string) => `Connect ${app}?`,
  confirmHeading: "Connect {app}?",
  confirmText: "Make sure that your device shows this code.",
  warning:
    "This gives a device access to your account. Continue only if you started this and the device is with you. If someone sent you this code or link, choose Deny.",
  requestedFrom: "Requested from",
  requested: "Requested",
  approved: { title: "Device connected", text: "Go back to your device. It will continue in a few seconds." },
  denied: { title: "Access denied", text: "The device can't access your account. You can close this page." },
  manageApps: "Manage connected apps",
};
