export { engines, type TestDatabase, type TestEngine } from "./engines.ts";
export { NOW, settle } from "./people.ts";
