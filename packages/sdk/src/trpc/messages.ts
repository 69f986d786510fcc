/**
 * The message of a procedure that needs a signed-in user, and so the mark by which `sessionLink` knows its own errors:
 * tRPC sends the message and the code of an error alone, whatever the app's formatter adds. PK-52.
 */
export const SIGNED_OUT = "This needs a signed-in user. [gatehouse:signed_out]";
