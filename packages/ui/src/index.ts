export * from "./mark.ts";
export * from "./palette.ts";
export * from "./theme.ts";
