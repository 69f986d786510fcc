// Entry `/trpc/client`: a link for the tRPC client of the browser.

export { type SessionLinkOptions, sessionLink } from "./session-link.ts";
