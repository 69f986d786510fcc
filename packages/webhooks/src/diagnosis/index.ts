export { type DeliveryToDiagnose, type Diagnosis, diagnose } from "./diagnose.ts";
export {
  type DuplicateExplanation,
  type DuplicateKind,
  explainDuplicate,
  explainTwin,
  type SeenDelivery,
  type SeenEvent,
} from "./duplicates.ts";
export { FINDING_KINDS, type Finding, type FindingKind } from "./finding.ts";
export { type RetryClock, readRetryClock } from "./retry-clock.ts";
export type { CandidateEndpoint, CandidateSecret } from "./secret-variants.ts";
