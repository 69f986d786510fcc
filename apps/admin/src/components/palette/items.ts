/** One line of the palette. `reason`: why it cannot be chosen now. */
export type Item = {
  id: string;
  group: string;
  label: string;
  hint?: string | undefined;
  reason?: string | undefined;
} & ({ href: string } | { run: () => void });

/** The items whose label has every word of `text`, the closest first. At most `limit`. */
export function matching(items: readonly Item[], text: string, limit: number): Item[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return closestFirst(
    items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))),
    text,
  ).slice(0, limit);
}

/**
 * The items in this order: label equal to `text`, label that starts with it, label that starts with its first word, the
 * rest.
 */
export function closestFirst(items: readonly Item[], text: string): Item[] {
  const whole = text.trim().toLowerCase();
  const [first = ""] = whole.split(/\s+/);
  const distance = ({ label }: Item) => {
    const lower = label.toLowerCase();
    return [lower === whole, lower.startsWith(whole), lower.startsWith(first), true].indexOf(true);
  };
  return items.toSorted((one, other) => distance(one) - distance(other));
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
