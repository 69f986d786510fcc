import { test as base, expect, type Page, type TestInfo } from "@playwright/test";
import axe from "axe-core";
import { POLL_MS } from "../harness/alive.ts";
import { full } from "./installation.ts";

/** A theme, and the width of the window if it is narrow. `axe`: whether axe-core examines the page so. */
type Look = { colorScheme: "light" | "dark"; narrow?: number; axe: boolean };

type Size = { width: number; height: number };

/** The widths of a phone, and of a page at 400 % zoom. WCAG 1.4.10. */
const PHONE = 390;
const ZOOMED = 320;

// `npm run test:full` checks every look of a page. Otherwise each check has half of them, by turns.

/** axe-core in both themes, and the narrow windows. */
const LOOKS: readonly (readonly Look[])[] = [
  [
    { colorScheme: "light", axe: true },
    { colorScheme: "light", narrow: ZOOMED, axe: false },
  ],
  [
    { colorScheme: "dark", axe: true },
    { colorScheme: "dark", narrow: PHONE, axe: false },
  ],
];
/** axe-core in the narrow windows too. */
const LOOKS_ON_PHONE: readonly (readonly Look[])[] = [
  [
    { colorScheme: "light", axe: true },
    { colorScheme: "light", narrow: ZOOMED, axe: false },
  ],
  [{ colorScheme: "dark", narrow: PHONE, axe: true }],
];
/** What test:full checks on a phone besides. */
const MORE_ON_PHONE: readonly Look[] = [
  { colorScheme: "dark", axe: true },
  { colorScheme: "light", narrow: PHONE, axe: true },
];

/**
 * Fails on axe-core violations in light and dark mode, and on horizontal scrolling in narrow windows. `half`: which
 * half of the looks the page has, unless it has all. `examined`: a selector of what axe-core has examined on another
 * page. CO-98.
 */
export async function expectAccessible(page: Page, { half, examined }: { half?: 0 | 1; examined?: string } = {}) {
  if (full) return expectNoViolations(page, {}, LOOKS.flat());
  const hidden = examined === undefined ? [] : [`${examined} { visibility: hidden !important }`];
  const show = await hide(page, [MORE_ROWS, ...hidden]);
  await expectNoViolations(page, {}, half === undefined ? turnOf(LOOKS) : (LOOKS[half] ?? []));
  await show();
}

/** The same, with axe-core in the narrow windows too, and with its check of the size of targets. AX-01. */
export const expectAccessibleOnPhoneToo = (page: Page): Promise<void> =>
  expectNoViolations(
    page,
    { rules: { "target-size": { enabled: true } } },
    full ? [...LOOKS_ON_PHONE.flat(), ...MORE_ON_PHONE] : turnOf(LOOKS_ON_PHONE),
  );

const checks = new WeakMap<TestInfo, number>();

/** They take turns within a test, and begin with the same one in every run. */
function turnOf(looks: readonly (readonly Look[])[]): readonly Look[] {
  const info = base.info();
  const done = checks.get(info) ?? 0;
  checks.set(info, done + 1);
  return looks[(info.title.length + done) % looks.length] ?? [];
}

/**
 * Waits two frames, so that scripts react to a change of color scheme, and then for all finite animations. A paused one
 * never ends, so not longer than five seconds.
 */
const SETTLED = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.race([
    new Promise((next) => setTimeout(next, 5000)),
    Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished)),
  ])
).then(() => undefined)`;

/** The rows after the tenth of a table are as the first ones. */
const MORE_ROWS = "tbody > tr:nth-child(n + 11) { display: none !important }";

const SCHEME = `document.documentElement.dataset.mantineColorScheme ?? ""`;

/**
 * Only what is read below: the selectors of every element are a third of the time. And without parsing every style sheet
 * and medium again for rules that are off or about sound.
 */
const OPTIONS: axe.RunOptions = { resultTypes: ["violations", "incomplete"], selectors: false, preload: false };

async function expectNoViolations(page: Page, options: axe.RunOptions, looks: readonly Look[]): Promise<void> {
  const desktop = page.viewportSize();
  for (const look of looks) {
    await show(page, look, desktop);
    if (look.axe) expect(await violations(page, { ...OPTIONS, ...options }), described(page, look)).toEqual([]);
    if (look.narrow !== undefined)
      expect(
        await page.evaluate("document.documentElement.scrollWidth - innerWidth"),
        described(page, look),
      ).toBeLessThanOrEqual(0);
  }
  await resize(page, desktop);
}

const described = (page: Page, { colorScheme, narrow = 0 }: Look) =>
  `${page.url()}, ${colorScheme}${narrow > 0 ? `, ${narrow}px` : ""}`;

async function show(page: Page, { colorScheme, narrow }: Look, desktop: Size | null): Promise<void> {
  await resize(page, narrow === undefined ? desktop : { width: narrow, height: 844 });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Mantine's pages follow the system once they have hydrated; the others follow by CSS alone.
  await expect.poll(() => page.evaluate(SCHEME), { intervals: POLL_MS }).toMatch(new RegExp(`^(${colorScheme})?$`));
  await page.evaluate(SETTLED);
}

/** Hides by CSS, which axe-core then passes over. Excluding would cost it nearly as much as examining. Returns the undoing. */
async function hide(page: Page, rules: readonly string[]): Promise<() => Promise<void>> {
  // Through the debugger, and no style element, so the page's content security policy does not apply.
  const sheet = await page.evaluateHandle(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(rules.join("\n"))});
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  })()`);
  return () => sheet.evaluate("(sheet) => sheet.replaceSync('')");
}

async function resize(page: Page, size: Size | null): Promise<void> {
  if (size !== null && size.width !== page.viewportSize()?.width) await page.setViewportSize(size);
}

async function violations(page: Page, options: axe.RunOptions): Promise<string[]> {
  // Runs through the debugger, so the page's content security policy does not apply.
  if (!(await page.evaluate(`"axe" in window`))) await page.evaluate(axe.source);
  const { violations: found, incomplete } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return [...found, ...invisibleText(incomplete)].map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`,
  );
}

/**
 * Text in the colour of its background: axe-core leaves it to a reviewer, since it can be hidden on purpose. We hide
 * nothing that way.
 */
function invisibleText(incomplete: axe.Result[]): axe.Result[] {
  const isInvisible = ({ any }: axe.NodeResult) => any.some(({ data }) => data?.messageKey === "equalRatio");
  return incomplete
    .map((result) => ({ ...result, nodes: result.nodes.filter(isInvisible) }))
    .filter(({ id, nodes }) => id === "color-contrast" && nodes.length > 0);
}
