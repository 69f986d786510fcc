import type { Section } from "../field.ts";

export const SIGN_OUT: Section = {
  id: "sign-out",
  title: "Sign-out",
  text: "How the client learns that a user signed out elsewhere. OpenID Connect Back-Channel Logout.",
  summary: ({ settings }) =>
    `Back-channel logout ${settings.options.backchannelLogoutUri === undefined ? "off" : "on"}`,
  fields: [
    {
      path: "options.backchannelLogoutUri",
      label: "Back-channel logout URI",
      hint: "The server posts a logout token here when a session ends, and tries again if the client does not answer. Default: none.",
      fits: ({ type }) => type === "web",
      kind: "uri",
      placeholder: "https://shop.example.com/backchannel-logout",
      unset: "None",
    },
  ],
};
