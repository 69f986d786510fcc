import { isUrl } from "@gatehouse/runtime";
import { isLoopbackHost } from "@gatehouse/runtime/loopback";

/** An SMTP server, as GATEHOUSE_SMTP_URL names it. */
export type SmtpServer = {
  host: string;
  port: number;
  /**
   * `implicit`: TLS from the first byte. `starttls`: required before anything is sent. `none`: on loopback alone.
   * EM-01.
   */
  tls: "implicit" | "starttls" | "none";
  credentials: { user: string; password: string } | undefined;
};

const EXAMPLE = "like smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com";

/** Reads the URL. Throws an error that says what to change, without the password. */
export function readSmtpUrl(value: string): SmtpServer {
  const url = isUrl(value) ? new URL(value) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") throw new Error(`must be a URL ${EXAMPLE}`);
  if (url.search || url.hash || !/^\/?$/.test(url.pathname))
    throw new Error(`must end after the host and port, ${EXAMPLE}; certificates are always checked`);
  if ((url.username === "") !== (url.password === ""))
    throw new Error("must have both a user and a password, or neither");
  const implicit = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port ? Number(url.port) : implicit ? 465 : 587,
    tls: implicit ? "implicit" : isLoopbackHost(url.hostname) ? "none" : "starttls",
    credentials: url.username === "" ? undefined : { user: decode(url.username), password: decode(url.password) },
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("has a % in its user or password that must be written as %25");
  }
}

/** The sender of every mail. */
export type Sender = { name: string; address: string };

/** Reads `Name <address>` or an address alone. Throws an error that says what to change. */
export function readSender(value: string): Sender {
  const [, name = "", bracketed, bare] = /^(?:([^<>"\r\n]*?)\s*<([^\s<>]+)>|([^\s<>]+))$/.exec(value.trim()) ?? [];
  const address = bracketed ?? bare ?? "";
  if (!/^[^\s@,;]+@[^\s@,;]+$/.test(address))
    throw new Error("must be an address like no-reply@example.com or Example <no-reply@example.com>");
  return { name: name.trim(), address };
}
