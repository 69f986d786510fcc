// Shared steps of the npm scripts.
export * from "./steps/build.mjs";
export * from "./steps/common.mjs";
export * from "./steps/install.mjs";
export * from "./steps/ports.mjs";
