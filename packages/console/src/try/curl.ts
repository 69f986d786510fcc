import type { Call, Session } from "./session.ts";

/** The shell variable that stands for a value in a command to copy. */
const PLACEHOLDERS: Record<string, string> = {
  code: "CODE",
  code_verifier: "CODE_VERIFIER",
  refresh_token: "REFRESH_TOKEN",
  token: "TOKEN",
  device_code: "DEVICE_CODE",
};

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The same request as a command, as the client itself would send it: codes, tokens and the secret are shell variables.
 * CO-41.
 */
export function curlCommand(
  { form, bearer }: Pick<Call, "form" | "bearer">,
  url: string,
  { clientId, confidential, proven }: Pick<Session, "clientId" | "confidential"> & { proven: boolean },
): string {
  const lines = [`curl ${quoted(url)}`];
  if (proven) lines.push('-H "DPoP: $DPOP_PROOF"');
  if (bearer !== undefined) lines.push(`-H "Authorization: ${proven ? "DPoP" : "Bearer"} $ACCESS_TOKEN"`);
  if (form !== undefined) {
    lines.push(
      confidential
        ? `-u ${quoted(`${clientId}:`)}"$CLIENT_SECRET"`
        : `--data-urlencode ${quoted(`client_id=${clientId}`)}`,
    );
    for (const [name, value] of Object.entries(form)) {
      const placeholder = PLACEHOLDERS[name];
      lines.push(
        `--data-urlencode ${placeholder === undefined ? quoted(`${name}=${value}`) : `"${name}=$${placeholder}"`}`,
      );
    }
  }
  return lines.join(" \\\n  ");
}
