// The entry of dist/next.mjs: one bundle of everything that Next serves or needs of the server, for `next start`.
export { loadRoute } from "../routing/routes.ts";
export { server } from "./server.ts";
