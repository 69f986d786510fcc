// Reads the session in front of every page. If that refreshed the tokens, the new ones are stored here: a server
// component cannot set cookies.
export { auth as proxy } from "./auth";

export const config = { matcher: ["/((?!api|_next/static|_next/image|favicon.ico).*)"] };
