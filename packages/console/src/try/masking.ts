import { secretHint } from "@gatehouse/auth";

export type Header = [name: string, value: string];

/** Parameters and members with a code, token or secret. */
const SECRET = new Set([
  "code",
  "code_verifier",
  "refresh_token",
  "access_token",
  "id_token",
  "token",
  "device_code",
  "client_secret",
]);

/** The last four characters, of a short value fewer. CO-41. */
function masked(value: string): string {
  return `…${secretHint(value)}`;
}

/** A form as people read it: a parameter per line. */
export function shownForm(form: Record<string, string>, reveal: boolean): string {
  return Object.entries(form)
    .map(([name, value]) => `${name}=${SECRET.has(name) && !reveal ? masked(value) : encodeURIComponent(value)}`)
    .join("\n&");
}

/** Basic credentials stay masked: they have the pasted secret, which no response repeats. CO-40. */
export function shownHeaders(headers: Headers, reveal: boolean): Header[] {
  return [...headers].map(([name, value]) => {
    if (name !== "authorization") return [name, value];
    const [scheme = "", credentials = ""] = value.split(" ");
    return [name, scheme !== "Basic" && reveal ? value : `${scheme} ${scheme === "Basic" ? "…" : masked(credentials)}`];
  });
}

/** A JSON response, indented; any other as it is. */
export function shownBody(text: string, json: Record<string, unknown>, reveal: boolean): string {
  if (Object.keys(json).length === 0) return text;
  const shown = Object.entries(json).map(([name, value]) => [
    name,
    SECRET.has(name) && typeof value === "string" && !reveal ? masked(value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(shown), null, 2);
}

/** The address of a response to the client, with its code masked. */
export function shownRedirect(
  callback: string,
  parameters: Record<string, string | undefined>,
  reveal: boolean,
): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${SECRET.has(name) && !reveal ? masked(value) : encodeURIComponent(value)}`],
  );
  return `${callback}?${query.join("&")}`;
}
