import { auth } from "../../auth.ts";

/** What cannot be undone. */
export const GET = auth.protect({ live: true }, (_request, { session }) => Response.json({ user: session.user.id }));
