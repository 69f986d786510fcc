/** An SMTP server, as the form has it. An empty password stands for the saved one. */
export type SmtpFields = {
  host: string;
  port: string;
  encryption: "starttls" | "tls";
  user: string;
  password: string;
};

const USUAL_PORT = { starttls: "587", tls: "465" } as const;
const EMPTY: SmtpFields = { host: "", port: "", encryption: "starttls", user: "", password: "" };

/** Reads `smtp://user:password@host:port`, or an empty value. Anything else is the host, for the server to refuse. */
export function readSmtpUrl(value: string): SmtpFields {
  const found = /^(smtps?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?(\[[^\]]*\]|[^:/@]*)(?::(\d*))?\/?$/.exec(value);
  if (!found) return { ...EMPTY, host: value };
  const [, scheme, user = "", password = "", host = "", port = ""] = found;
  return {
    host,
    port,
    encryption: scheme === "smtps" ? "tls" : "starttls",
    user: decoded(user),
    password: decoded(password),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URL for these fields; empty without a host. */
export function smtpUrlOf({ host, port, encryption, user, password }: SmtpFields): string {
  if (host.trim() === "") return "";
  const secret = password === "" ? "" : `:${encodeURIComponent(password)}`;
  const credentials = user === "" ? "" : `${encodeURIComponent(user)}${secret}@`;
  return `${encryption === "tls" ? "smtps" : "smtp"}://${credentials}${host.trim()}:${port || USUAL_PORT[encryption]}`;
}

/** The fields with another encryption, whose usual port replaces that of the other. */
export function withEncryption(fields: SmtpFields, encryption: SmtpFields["encryption"]): SmtpFields {
  const usual = fields.port === "" || fields.port === USUAL_PORT[fields.encryption];
  return { ...fields, encryption, port: usual ? USUAL_PORT[encryption] : fields.port };
}

/** Whether the saved password would go where it was entered for: the same server and user. */
export function keepsPassword(saved: SmtpFields, now: SmtpFields): boolean {
  const same = (["host", "port", "encryption", "user"] as const).every((field) => saved[field] === now[field].trim());
  return same && saved.user !== "";
}
