// Injected into our own server's bundle by build.ts: what is called `Response` there is the light one.
export { LightResponse as Response } from "./response.ts";
