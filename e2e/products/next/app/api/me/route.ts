import { auth } from "../../../auth.ts";

const answer = auth.protect({}, (_request, { session }) => Response.json({ email: session.user.email }));

export { answer as GET, answer as POST };
