export type { EndpointTarget, Verdict } from "./check.ts";
export { examine, examineEndpoint, examineServer, type Finding } from "./examine.ts";
