/** Puts the focus into the search field of the list, or onto its filter button. */
export function focusSearch(event: KeyboardEvent): void {
  const main = document.getElementById("main");
  const field =
    main?.querySelector<HTMLElement>("input[type=search]") ?? main?.querySelector<HTMLElement>("[role=search] button");
  if (!field) return;
  event.preventDefault();
  field.focus();
}

const rows = () => [...document.querySelectorAll<HTMLElement>("#main [data-row-link]")];

/**
 * Moves the focus to the next or previous row of the list, at first to the first one. Not while a row is open beside
 * it: see `usePeek`.
 */
export function walkRows(step: 1 | -1): void {
  if (document.querySelector("#main tr[aria-current]")) return;
  const all = rows();
  const at = all.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  (at === -1 ? all[0] : all[at + step])?.focus();
}

/** Selects the row that has the focus, or clears its selection. */
export function selectRow(): void {
  document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>("td input[type=checkbox]")?.click();
}

/** Opens the page's editor: its Edit button, or the first field of its form. */
export function edit(event: KeyboardEvent): void {
  const main = document.getElementById("main");
  const buttons = [...(main?.querySelectorAll<HTMLButtonElement>("button:enabled") ?? [])];
  const button = buttons.find(({ textContent }) => textContent?.trim().startsWith("Edit"));
  const field = main?.querySelector<HTMLElement>(
    "form :is(input, select, textarea):enabled:not([type=hidden], [type=search])",
  );
  if (!button && !field) return;
  event.preventDefault();
  if (button) button.click();
  else field?.focus();
}

/** Presses the button that submits the focused form, if it can be pressed. */
export function saveForm(event: KeyboardEvent): void {
  const form = event.target instanceof Element ? event.target.closest("form") : null;
  const button = form?.querySelector<HTMLButtonElement>("button[type=submit]:enabled:not([data-loading])");
  if (!button) return;
  event.preventDefault();
  button.click();
}
