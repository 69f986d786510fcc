import type { Place, Section } from "../field.ts";

const withCode = ({ settings }: Place) => settings.grantTypes.includes("authorization_code");

export const REQUESTS: Section = {
  id: "requests",
  title: "Request security",
  text: "Every client can push its requests and use DPoP. Here you require it, once the client’s library does it.",
  summary: (place) => {
    const { requirePushedRequests, dpopBound, dpopNonce } = place.settings.options;
    const pushed = `Pushed requests ${requirePushedRequests ? "required" : "off"}`;
    const dpop = `DPoP ${dpopBound ? "required" : "off"}${dpopNonce ? ", with a nonce" : ""}`;
    return withCode(place) || requirePushedRequests ? `${pushed} · ${dpop}` : dpop;
  },
  fields: [
    {
      path: "options.requirePushedRequests",
      label: "Require pushed requests",
      hint: "Rejects authorization requests that the client did not send to /par first, so nobody can change them in the browser. Costs a request per sign-in. Default: off. RFC 9126.",
      fits: withCode,
      kind: "switch",
    },
    {
      path: "options.dpopBound",
      label: "Require DPoP",
      hint: "Binds every token to a key of the client, so a stolen token is useless. The client signs a proof for each request. Default: off. RFC 9449.",
      kind: "switch",
    },
    {
      path: "options.dpopNonce",
      label: "Require a DPoP nonce",
      hint: "Proofs must contain a value that the server gave, so they cannot be made in advance. Costs one more round trip every 5 minutes. Default: off.",
      kind: "switch",
    },
  ],
};
