export { engines, type TestDatabase, type TestEngine } from "./engines.ts";
