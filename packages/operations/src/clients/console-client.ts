/** The admin console is an OAuth client of our own server, under this id. */
export const CONSOLE_CLIENT_ID = "gatehouse-console";
export const CONSOLE_APPLICATION_NAME = "Gatehouse Console";
