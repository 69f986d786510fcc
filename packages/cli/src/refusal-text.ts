import type { RefusalView } from "@gatehouse/console/failures/refusals";
import { fieldsText, instantText } from "./fields-text.ts";

const ACTORS: Record<RefusalView["actor"], string> = {
  "client developer": "the developer of the client",
  admin: "an admin of this server",
  user: "the user",
  operator: "the operator of this server",
  nobody: "nobody",
};

/** An entry of the failure ledger, for a person at a terminal. `link`: its page in the console. */
export function refusalText(refusal: RefusalView, link: string): string {
  const { errorId, at, endpoint, error, cause, explanation, message, actor, howToFix, address } = refusal;
  const fields: [string, string][] = [
    ["When", instantText(at)],
    ["Endpoint", endpoint],
    ["Client", clientText(refusal.client)],
    ["Address", address ?? "unknown"],
    ["Response", error],
    ["Cause", `${cause}. ${explanation}`],
    ["Message", message],
    ...detailFields(refusal),
    ["Who can fix it", ACTORS[actor]],
    ["How to fix it", howToFix],
    ["In the console", link],
  ];
  return fieldsText(`Error ${errorId}`, fields);
}

function clientText(client: RefusalView["client"]): string {
  if (client === null) return "none named in the request";
  const { clientId, applicationName, environment } = client;
  return environment === null ? `${clientId} (no such client)` : `${clientId}, ${applicationName} (${environment})`;
}

/** The details, each on a line. For a redirect URI, a marker under the first byte that differs. */
function detailFields({ detail }: RefusalView): [string, string][] {
  const { sent, nearest, differsAt, ...others } = detail;
  const rest = Object.entries(others).map(([name, value]): [string, string] => [`  ${name}`, String(value)]);
  if (typeof sent !== "string" || typeof differsAt !== "number")
    return [...(sent === undefined ? [] : [["  sent", String(sent)] as [string, string]]), ...rest];
  if (typeof nearest !== "string") return [["  sent", sent], ["  registered", "no redirect URI"], ...rest];
  return [
    ["  sent", sent],
    ["  registered", nearest],
    [
      "",
      `${" ".repeat(differsAt)}^ byte ${differsAt + 1}: sent ${byteText(sent, differsAt)}, registered ${byteText(nearest, differsAt)}`,
    ],
    ...rest,
  ];
}

function byteText(text: string, at: number): string {
  const byte = text.charCodeAt(at);
  return Number.isNaN(byte) ? "end of text" : `"${text[at]}" (0x${byte.toString(16).padStart(2, "0")})`;
}
