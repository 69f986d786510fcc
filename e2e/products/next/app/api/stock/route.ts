import { auth } from "../../../auth.ts";

/** For programs with an access token, and for the pages of this app. */
const answer = auth.protect({ accept: "any" }, (_request, { auth: caller }) =>
  Response.json({ via: caller.via, email: caller.user?.email ?? null }),
);

export { answer as GET, answer as POST };
