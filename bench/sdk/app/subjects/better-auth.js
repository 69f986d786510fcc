import { betterAuth } from "better-auth";
import Database from "better-sqlite3";
import { headers } from "next/headers";
import { NextResponse } from "next/server";

let opened;
/** At the first request: a build has no database. */
export const betterAuthOf = () => {
  opened ??= betterAuth({
    baseURL: process.env.APP_URL,
    basePath: "/better-auth",
    secret: process.env.SECRET,
    database: new Database(process.env.DATABASE),
    emailAndPassword: { enabled: true },
    session: { cookieCache: { enabled: true, maxAge: 3600 } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  });
  return opened;
};

const subject = (query) => ({
  async guarded(request) {
    const session = await betterAuthOf().api.getSession({ headers: request.headers, query });
    return session ? NextResponse.next() : NextResponse.redirect(request.url);
  },
  async whoIsIt() {
    const session = await betterAuthOf().api.getSession({ headers: await headers(), query });
    return session?.user.email;
  },
});

/** The session is in a signed cookie, which its documentation recommends for speed. */
export const cached = subject({});
/** As it is without options: a query for each read. */
export const stored = subject({ disableCookieCache: true });
