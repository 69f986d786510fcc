/**
 * What to do about an answer of the outbox that is no success, in plain words: the reply code of the SMTP server (RFC
 * 5321 §4.2), or the code of what happened instead of a reply. Null if there is nothing to add.
 */
export function adviceFor(answer: string): string | null {
  const [, code = ""] = /^(\d{3}|[A-Z][A-Z_\d]+)\b/.exec(answer) ?? [];
  // STARTTLS reports a certificate that is not trusted without a code of its own.
  if (code === "ETLS" && /certificate|altname/i.test(answer)) return CERTIFICATE;
  return ADVICE[code] ?? (code.startsWith("ERR_SSL") ? ENCRYPTION : null);
}

const HOST = "No server has this host name. Check the host for a typing error.";
const NETWORK = "This machine cannot reach the server. Check the host, and the firewall between them.";
const CERTIFICATE =
  "The server’s certificate is not trusted: it is for another host name, has expired, or comes from a private " +
  "authority. Use the host name that the certificate is for, or set NODE_EXTRA_CA_CERTS for a private authority.";
const ENCRYPTION =
  "The connection could not be encrypted this way. Port 465 usually wants TLS, ports 587 and 25 STARTTLS.";
const CREDENTIALS =
  "The server refused the user or the password. Many providers want an app password or an API key in its place.";
const LATER =
  "The server takes no mail from here just now: it is busy, or a limit is reached. The mail is tried again.";
const SENDER = "The server does not send mail from the sender’s address for this user, or wants a sign-in first.";
const REFUSED = "The server refused the recipient or the sender. Check that the sender’s domain is set up there.";

const ADVICE: Readonly<Record<string, string>> = {
  ENOTFOUND: HOST,
  EDNS: HOST,
  EAI_AGAIN: "The host name could not be looked up: this machine’s DNS does not answer.",
  ECONNREFUSED: "Nothing listens on this port. Check the port: 587 with STARTTLS or 465 with TLS.",
  ECONNRESET: "The server ended the connection. The encryption may not go with the port.",
  ECONNECTION: "The server ended the connection. The encryption may not go with the port.",
  ETIMEDOUT: "The server did not answer in time. Hosting providers often block port 25: use 587 or 465.",
  EHOSTUNREACH: NETWORK,
  ENETUNREACH: NETWORK,
  ETLS: ENCRYPTION,
  EPROTO: ENCRYPTION,
  CERT_HAS_EXPIRED: CERTIFICATE,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
  EAUTH: "The server offers no way to sign in that Gatehouse knows. Check the port, and whether it wants a sign-in.",
  421: LATER,
  450: LATER,
  451: LATER,
  452: LATER,
  530: SENDER,
  534: CREDENTIALS,
  535: CREDENTIALS,
  550: REFUSED,
  553: SENDER,
  554: REFUSED,
};
