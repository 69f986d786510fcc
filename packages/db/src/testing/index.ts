export { engines, type TestDatabase, type TestEngine } from "./engines.ts";
export { NOW, seed } from "./people.ts";
