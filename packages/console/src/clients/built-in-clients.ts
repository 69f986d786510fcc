// The clients that the server registers itself, at each start.

/** The client id of the admin console, which is an OAuth client of this server. */
export const CONSOLE_CLIENT_ID = "gatehouse-console";
export const CONSOLE_APPLICATION_NAME = "Gatehouse Console";

/** The client id of the command line, which signs its user in by the device flow to read from a running server. */
export const CLI_CLIENT_ID = "gatehouse-cli";
export const CLI_APPLICATION_NAME = "Gatehouse command line";

/** What the command line asks for. The server still checks the user's role. */
export const CLI_SCOPES = ["webhooks:read", "webhooks:reveal", "offline_access"] as const;

export function isBuiltInClient(clientId: string): boolean {
  return clientId === CONSOLE_CLIENT_ID || clientId === CLI_CLIENT_ID;
}
