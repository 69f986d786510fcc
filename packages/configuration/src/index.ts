export { type Applied, apply } from "./apply.ts";
export { type Applier, type Change, type FieldChange, OBJECT_KINDS } from "./change.ts";
export { exportConfiguration } from "./export/export.ts";
export { type Drift, type DriftPage, listDrift } from "./managed/drift.ts";
export { ManifestError } from "./manifest/manifest-error.ts";
export { readManifest } from "./manifest/read-manifest.ts";
export { assertApproved, type Plan, planConfiguration, type Unlisted } from "./plan.ts";
export { prune } from "./prune.ts";
