export type { EndpointTarget, Verdict } from "./check.ts";
export { examine, type Finding } from "./examine.ts";
