export {
  QUICK_STARTS,
  type QuickStart,
  type QuickStartClient,
  type QuickStartName,
  quickStartsFor,
} from "./quick-starts.ts";
export {
  assistantText,
  envFile,
  environmentFile,
  type QuickStartValues,
  type RenderedFile,
  type RenderedQuickStart,
  renderQuickStart,
  SECRET_VARIABLE,
} from "./render.ts";
