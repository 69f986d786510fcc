export type SidebarState = "open" | "icons";

/** Holds no more than the width of the sidebar. A cookie, so that the server renders it at that width. */
export const SIDEBAR_COOKIE = "gatehouse_console_sidebar";
const YEAR_SECONDS = 31_536_000;

export function readSidebar(value: string | undefined): SidebarState {
  return value === "icons" ? "icons" : "open";
}

export function rememberSidebar(state: SidebarState): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox
  document.cookie = `${SIDEBAR_COOKIE}=${state}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
