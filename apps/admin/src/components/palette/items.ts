/** One line of the palette. `reason`: why it cannot be chosen now. */
export type Item = {
  id: string;
  group: string;
  label: string;
  /** Other names that find it. */
  names?: string | undefined;
  hint?: string | undefined;
  reason?: string | undefined;
} & ({ href: string } | { run: () => void });

/** The group of what a pasted id names. */
export const EXACT = "Exact match";
/** The group of what can be started from any page. */
export const ACTIONS = "Actions";

const hasAll = (text: string, words: readonly string[]) => words.every((word) => text.toLowerCase().includes(word));

/** The items whose label and other names have every word of `text`, the closest first. At most `limit`. */
export function matching(items: readonly Item[], text: string, limit: number): Item[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return closestFirst(
    items.filter(({ label, names = "" }) => hasAll(`${label} ${names}`, words)),
    text,
  ).slice(0, limit);
}

/**
 * The items in this order: label equal to `text`, label that starts with it, label that starts with its first word,
 * label with all its words, the rest.
 */
export function closestFirst(items: readonly Item[], text: string): Item[] {
  const whole = text.trim().toLowerCase();
  const words = whole.split(/\s+/);
  const distance = ({ label }: Item) => {
    const lower = label.toLowerCase();
    const has = [lower === whole, lower.startsWith(whole), lower.startsWith(words[0] ?? ""), hasAll(lower, words)];
    return [...has, true].indexOf(true);
  };
  return items.toSorted((one, other) => distance(one) - distance(other));
}

/** Each page and object once: of several items that lead to it the exact match, or else the first. */
export function once(items: readonly Item[]): Item[] {
  const exact = new Set(items.flatMap((item) => (item.group === EXACT ? [targetOf(item)] : [])));
  const seen = new Set<string>();
  return items.filter((item) => {
    const target = targetOf(item);
    if (target === undefined) return true;
    if (seen.has(target) || (item.group !== EXACT && exact.has(target))) return false;
    seen.add(target);
    return true;
  });
}

/**
 * The page or object that an item leads to; undefined for an action. The query of an object's page says how to show it,
 * and that of a list is part of its name.
 */
function targetOf(item: Item): string | undefined {
  if (!("href" in item) || item.group === ACTIONS) return undefined;
  const [path = ""] = item.href.split("?");
  return path.split("/").length > 2 ? path : item.href;
}

/**
 * What the head of the page offers: its buttons, links and tabs, with the reason where one is disabled. Read from the
 * page itself, so that the palette never offers what the page does not.
 */
export function pageActions(): Item[] {
  const controls = document.querySelectorAll<HTMLElement>("#main header :is(button, a[href])");
  return [...controls].flatMap((control, index) => {
    const label = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim();
    if (label === "" || control.getClientRects().length === 0) return [];
    return [
      { id: `action-${index}`, group: "On this page", label, reason: reasonOf(control), run: () => control.click() },
    ];
  });
}

function reasonOf(control: HTMLElement): string | undefined {
  if (!(control instanceof HTMLButtonElement) || !control.disabled) return undefined;
  const description = document.getElementById(control.getAttribute("aria-describedby") ?? "");
  return description?.title || "Not available now";
}
