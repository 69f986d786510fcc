/** The frame of every mail, and of notices. */
export const mailFrame = {
  footer: (product: string, issuer: string) => `${product} sent this automatically from ${issuer}. Replies aren't read.`,
  copyLink: "Or copy this link into your browser:",
  ignore: "If you didn't ask for this, you can ignore this email.",
  time: "Time",
  device: "Device",
  address: "IP address",
  unknown: "Unknown",
  notYou: "If this was you, there's nothing to do. If it wasn't, review your account's security now.",
  reviewSecurity: "Review security",
};
