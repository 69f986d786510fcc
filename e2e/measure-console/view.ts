import type { CDPSession, Page } from "@playwright/test";
import { NAMES, type PageFigures, p75 } from "./figures.ts";
import { scriptsOf, untilQuiet } from "./scripts.ts";

/** Fast 4G as Chrome's tools have it: 165 ms round trips, 8.1 Mbit/s down, 1.35 Mbit/s up. */
const FAST_4G = { offline: false, latency: 165, downloadThroughput: (8_100 / 8) * 1000, uploadThroughput: (1_350 / 8) * 1000 };
const CPU_SLOWDOWN = 4;
/** How long a page rests before it counts as loaded. */
export const QUIET_MS = 500;

/** Slows the page's network and processor down while `act` runs. */
export async function throttled<Result>(page: Page, act: (session: CDPSession) => Promise<Result>): Promise<Result> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", FAST_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  try {
    return await act(session);
  } finally {
    await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await session.detach();
  }
}

/** The 75th percentiles of `runs` views of a page with an empty cache. */
export function measureViews(page: Page, url: string, runs: number): Promise<PageFigures> {
  return throttled(page, async (session) => {
    const samples: PageFigures[] = [];
    for (let run = 0; run < runs; run++) {
      await session.send("Network.clearBrowserCache");
      samples.push(await view(page, url));
    }
    return Object.fromEntries(NAMES.map((name) => [name, p75(samples.map((sample) => sample[name]))])) as PageFigures;
  });
}

async function view(page: Page, url: string): Promise<PageFigures> {
  let requests = 0;
  const count = (request: { url: () => string }) => {
    if (new URL(request.url()).pathname.startsWith("/api/trpc/")) requests++;
  };
  page.on("request", count);
  await page.goto(url, { waitUntil: "load" });
  await untilQuiet(page, QUIET_MS);
  page.off("request", count);
  const rest = await page.evaluate<Omit<PageFigures, "requests" | "script" | "charts">>(REST);
  return { ...(await scriptsOf(page)), ...rest, requests };
}

const REST = `new Promise((done) => {
  const kB = (entries) => entries.reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024;
  const resources = performance.getEntriesByType("resource");
  const named = (pattern) => resources.filter(({ name }) => pattern.test(new URL(name).pathname));
  let lcp = 0, cls = 0;
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) lcp = startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) cls += value; }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done({
    style: kB(named(/\\.css$/)), font: kB(named(/\\.woff2?$/)), html: kB(performance.getEntriesByType("navigation")), lcp, cls,
  }), 50);
})`;
