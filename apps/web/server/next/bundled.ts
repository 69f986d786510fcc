// The entry of dist/next.mjs: one bundle of everything that Next serves or needs of the server.
export { loadRoute } from "../routing/routes.ts";
export { serveNext } from "./process.ts";
export { server } from "./server.ts";
