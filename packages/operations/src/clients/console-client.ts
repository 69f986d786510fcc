/** The client id of the admin console, which is an OAuth client of this server. */
export const CONSOLE_CLIENT_ID = "gatehouse-console";
export const CONSOLE_APPLICATION_NAME = "Gatehouse Console";
