// build.ts injects this into the server's bundle, where `Response` is then the light one.
export { LightResponse as Response } from "./response.ts";
