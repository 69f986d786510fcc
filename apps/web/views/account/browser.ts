import type { Texts } from "@gatehouse/languages";
import { browserOf } from "@gatehouse/ui/browser";

/** "Chrome on macOS" in the page's language, or what is known of it. */
export function browserWords(userAgent: string | null, { sessions }: Texts): string {
  const { browser, system } = browserOf(userAgent);
  if (browser && system) return sessions.browserOn(browser, system);
  return browser ?? system ?? sessions.unknownBrowser;
}
