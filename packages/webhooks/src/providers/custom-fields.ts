import type { SettingsField } from "./adapter.ts";

const option = (value: string, label = value) => ({ value, label });

/** The settings of `custom-scheme.ts` as fields of a form. */
export const CUSTOM_FIELDS: readonly SettingsField[] = [
  {
    name: "header",
    label: "Signature header",
    kind: "text",
    placeholder: "x-signature",
    help: "The header that contains the signature.",
  },
  {
    name: "algorithm",
    label: "Algorithm",
    kind: "choice",
    options: [
      option("hmac-sha256", "HMAC-SHA256"),
      option("hmac-sha1", "HMAC-SHA1"),
      option("hmac-sha512", "HMAC-SHA512"),
      option("ed25519", "Ed25519"),
    ],
    help: "HMAC-SHA256 by default. With Ed25519, the secret is the sender's public key.",
  },
  {
    name: "encoding",
    label: "Signature encoding",
    kind: "choice",
    options: [option("hex", "Hex"), option("base64", "Base64")],
    help: "Hex by default.",
  },
  {
    name: "secretEncoding",
    label: "Secret encoding",
    kind: "choice",
    options: [option("text", "Text"), option("hex", "Hex"), option("base64", "Base64")],
    help: "How the secret is written. Text by default: its characters are the key.",
  },
  {
    name: "template",
    label: "Signed text",
    kind: "text",
    placeholder: "{timestamp}.{body}",
    help: "What the sender signs, with {id}, {timestamp}, {body} and {url}. {body} by default.",
  },
  {
    name: "prefix",
    label: "Signature prefix",
    kind: "text",
    placeholder: "sha256=",
    help: "Text in front of the signature in the header. None by default.",
  },
  {
    name: "separator",
    label: "Separator",
    kind: "choice",
    options: [option(",", "Comma"), option(";", "Semicolon"), option(" ", "Space")],
    help: "What separates several entries of the header. Leave it empty if the header holds one signature.",
  },
  {
    name: "timestampHeader",
    label: "Timestamp header",
    kind: "text",
    placeholder: "x-timestamp",
    help: "The header that contains the signed timestamp.",
  },
  {
    name: "timestampPrefix",
    label: "Timestamp prefix",
    kind: "text",
    placeholder: "t=",
    help: "Only if the timestamp is an entry of the signature header: the text in front of it.",
  },
  {
    name: "timestampUnit",
    label: "Timestamp unit",
    kind: "choice",
    options: [option("s", "Seconds"), option("ms", "Milliseconds")],
    help: "Seconds by default.",
  },
  {
    name: "idHeader",
    label: "Event id header",
    kind: "text",
    placeholder: "x-event-id",
    help: "The header with the id of the event. It must be the same when the sender repeats the event.",
  },
  {
    name: "idPath",
    label: "Event id in the body",
    kind: "text",
    placeholder: "id",
    help: "Where the id is in the body, if there is no header. Without an id, the body itself identifies the event.",
  },
  {
    name: "typeHeader",
    label: "Event type header",
    kind: "text",
    placeholder: "x-event-type",
    help: "The header with the event type.",
  },
  {
    name: "typePath",
    label: "Event type in the body",
    kind: "text",
    placeholder: "type",
    help: "Where the event type is in the body, if there is no header.",
  },
  {
    name: "objectPath",
    label: "Object id in the body",
    kind: "text",
    placeholder: "data.id",
    help: "Where the id of the object is that the event is about. Handlers can run the events of one object in order.",
  },
];
