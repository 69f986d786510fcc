/** The first match wins: Edge and Opera also contain "Chrome", and Chrome also contains "Safari". */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** The browser and the system that a user agent names. Both are names, the same in every language. */
export function browserOf(userAgent: string | null): { browser: string | undefined; system: string | undefined } {
  return {
    browser: BROWSERS.find(([mark]) => userAgent?.includes(mark))?.[1],
    system: SYSTEMS.find(([mark]) => userAgent?.includes(mark))?.[1],
  };
}

/** A short name such as "Chrome on macOS"; "Unknown browser" if the user agent matches nothing. */
export function describeBrowser(userAgent: string | null): string {
  const { browser, system } = browserOf(userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown browser";
}
