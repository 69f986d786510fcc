export { fillBig } from "./big.ts";
export { engines, type TestDatabase, type TestEngine } from "./engines.ts";
export { fullScans, recordStatements } from "./full-scans.ts";
export { NOW, SHOWN, seed } from "./people.ts";
export { examinedRows, recordingHandle, type Sent } from "./plans.ts";
