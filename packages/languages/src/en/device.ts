export const device = {
  title: "Connect a device",
  text: "Enter the code shown on your device.",
  code: "Code",
  submit: "Continue",
  wrongCode: "That code is incorrect or has expired. Check the code on your device, or start again there to get a new one.",
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
