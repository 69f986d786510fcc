import { NAVIGATION_START } from "@/components/use-search-text.ts";

/** Next calls this when a navigation begins: through a link, the router, or the back button. */
export function onRouterTransitionStart(): void {
  window.dispatchEvent(new Event(NAVIGATION_START));
}
