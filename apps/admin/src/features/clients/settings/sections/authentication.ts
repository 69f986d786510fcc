import { CLIENT_TYPES } from "../../client-types.ts";
import type { Options, Place, Section } from "../field.ts";

const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"].map((value) => ({ value, label: value }));
const usesKeys = ({ settings }: Place) => settings.options.authentication === "private_key_jwt";

function keysIn({ jwks, jwksUri }: Options): string {
  if (jwksUri !== undefined) return "keys from a URL";
  return jwks === undefined ? "no keys yet" : "keys stored here";
}

export const AUTHENTICATION: Section = {
  id: "authentication",
  title: "Client authentication",
  text: "How the client proves at the token endpoint who it is. RFC 7523.",
  summary: ({ settings: { options } }) =>
    options.authentication === "private_key_jwt"
      ? `Private key, ${options.assertionAlgorithm ?? "any algorithm"}, ${keysIn(options)}`
      : "Client secret",
  fields: [
    {
      path: "options.authentication",
      label: "Method",
      hint: "A secret is the simplest. With a private key, nothing secret is sent or stored here, and the client rotates its keys itself. Default: client secret.",
      fits: ({ type }) => CLIENT_TYPES[type].confidential,
      kind: "choice",
      choices: () => [{ value: "private_key_jwt", label: "Private key (private_key_jwt)" }],
      unset: "Client secret",
    },
    {
      path: "options.assertionAlgorithm",
      label: "Assertion algorithm",
      hint: "The only algorithm that the client’s assertions may be signed with. Default: any of these.",
      fits: usesKeys,
      kind: "choice",
      choices: () => ALGORITHMS,
      unset: "Any",
    },
    {
      path: "options.jwksUri",
      label: "Key set URL",
      hint: "The server fetches the public keys here, so the client can rotate them without a change on this page. Set this or the keys below, not both.",
      fits: usesKeys,
      kind: "uri",
      placeholder: "https://shop.example.com/jwks.json",
      unset: "None",
    },
    {
      path: "options.jwks",
      label: "Public keys",
      hint: "A JSON Web Key Set with the client’s public keys, for a client that cannot publish them at a URL.",
      fits: usesKeys,
      kind: "keys",
    },
  ],
};
