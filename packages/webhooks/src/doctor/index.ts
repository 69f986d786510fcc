export { type EndpointTarget, failed, ok, skipped, type Verdict, warning } from "./check.ts";
export { examine, examineEndpoint, examineServer, type Finding } from "./examine.ts";
