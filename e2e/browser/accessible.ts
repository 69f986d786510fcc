import { test as base, expect, type Page, type TestInfo } from "@playwright/test";
import axe from "axe-core";
import { POLL_MS } from "../harness/alive.ts";

/** A theme, and the width of the window if it is narrow. `axe`: whether axe-core examines the page so. */
type Look = { colorScheme: "light" | "dark"; narrow?: number; axe: boolean };

/** The widths of a phone, and of a page at 400 % zoom. WCAG 1.4.10. */
const PHONE = 390;
const ZOOMED = 320;

/** `npm run test:full` checks every look of a page. Otherwise a page gets one of these two, by turns. */
const full = process.env["GATEHOUSE_TEST_FULL"] === "1";
const BY_TURNS: readonly Look[] = [
  { colorScheme: "light", axe: true },
  { colorScheme: "dark", narrow: PHONE, axe: true },
];
const everyLook = (onPhoneToo: boolean): readonly Look[] => [
  { colorScheme: "light", axe: true },
  { colorScheme: "dark", axe: true },
  { colorScheme: "dark", narrow: PHONE, axe: onPhoneToo },
  ...(onPhoneToo ? [{ colorScheme: "light", narrow: PHONE, axe: true } as const] : []),
  { colorScheme: "light", narrow: ZOOMED, axe: false },
];

/** Fails on axe-core violations in light and dark mode, and on horizontal scrolling in narrow windows. CO-98. */
export const expectAccessible = (page: Page): Promise<void> => expectNoViolations(page, {}, full ? everyLook(false) : [nextLook()]);

/** The same, with axe-core in the narrow windows too, and with its check of the size of targets. AX-01. */
export const expectAccessibleOnPhoneToo = (page: Page): Promise<void> =>
  expectNoViolations(page, { rules: { "target-size": { enabled: true } } }, full ? everyLook(true) : [nextLook()]);

const checks = new WeakMap<TestInfo, number>();

/** The looks take turns within a test, and begin with the same one in every run. */
function nextLook(): Look {
  const info = base.info();
  const done = checks.get(info) ?? 0;
  checks.set(info, done + 1);
  return BY_TURNS[(info.title.length + done) % BY_TURNS.length] as Look;
}

/**
 * Waits two frames, so that scripts react to a change of color scheme, and then for all finite animations. A paused one never ends, so not
 * longer than five seconds.
 */
const SETTLED = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.race([
    new Promise((next) => setTimeout(next, 5000)),
    Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished)),
  ])
).then(() => undefined)`;

const SCHEME = `document.documentElement.dataset.mantineColorScheme ?? ""`;

/** Only what is read below: the selectors of every element are a third of the time. */
const OPTIONS: axe.RunOptions = { resultTypes: ["violations", "incomplete"], selectors: false };

async function expectNoViolations(page: Page, options: axe.RunOptions, all: readonly Look[]): Promise<void> {
  const size = page.viewportSize();
  for (const look of all) {
    await show(page, look);
    if (look.axe) expect(await violations(page, { ...OPTIONS, ...options }), described(page, look)).toEqual([]);
    if (look.narrow !== undefined)
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), described(page, look)).toBeLessThanOrEqual(0);
  }
  if (size !== null && all.some(({ narrow }) => narrow !== undefined)) await page.setViewportSize(size);
}

const described = (page: Page, { colorScheme, narrow = 0 }: Look) => `${page.url()}, ${colorScheme}${narrow > 0 ? `, ${narrow}px` : ""}`;

async function show(page: Page, { colorScheme, narrow }: Look): Promise<void> {
  if (narrow !== undefined) await page.setViewportSize({ width: narrow, height: 844 });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Mantine's pages follow the system once they have hydrated; the others follow by CSS alone.
  await expect.poll(() => page.evaluate(SCHEME), { intervals: POLL_MS }).toMatch(new RegExp(`^(${colorScheme})?$`));
  await page.evaluate(SETTLED);
}

async function violations(page: Page, options: axe.RunOptions): Promise<string[]> {
  // Runs through the debugger, so the page's content security policy does not apply.
  if (!(await page.evaluate(`"axe" in window`))) await page.evaluate(axe.source);
  const { violations: found, incomplete } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return [...found, ...invisibleText(incomplete)].map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Text in the colour of its background: axe-core leaves it to a reviewer, since it can be hidden on purpose. We hide nothing that way. */
function invisibleText(incomplete: axe.Result[]): axe.Result[] {
  const isInvisible = ({ any }: axe.NodeResult) => any.some(({ data }) => data?.messageKey === "equalRatio");
  return incomplete
    .map((result) => ({ ...result, nodes: result.nodes.filter(isInvisible) }))
    .filter(({ id, nodes }) => id === "color-contrast" && nodes.length > 0);
}
