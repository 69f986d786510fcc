export {
  postLogoutRedirectUriFor,
  QUICK_STARTS,
  type QuickStart,
  type QuickStartClient,
  type QuickStartName,
  quickStartsFor,
  redirectUriFor,
} from "./quick-starts.ts";
export {
  assistantText,
  environmentFile,
  type QuickStartValues,
  quickStartValues,
  type RenderedFile,
  type RenderedQuickStart,
  renderQuickStart,
  secretVariable,
} from "./render.ts";
