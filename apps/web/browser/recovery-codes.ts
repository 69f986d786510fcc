// Keeps recovery codes that were just made: copies, saves or prints them. The server renders the buttons hidden, so that
// there are none without scripts. The codes go into no URL and to no server. MF-05.

const list = document.querySelector<HTMLElement>("[data-codes]");
const actions = document.querySelector<HTMLElement>("[data-codes-actions]");
if (list && actions) {
  const on = (action: string, act: () => void) =>
    actions.querySelector(`button[data-does=${action}]`)?.addEventListener("click", act);
  on("copy", () => copy(list, actions));
  on("download", () => download(list));
  on("print", () => window.print());
  actions.hidden = false;
}

const textOf = (list: HTMLElement) =>
  [...list.querySelectorAll("code")].map(({ textContent }) => `${textContent}\n`).join("");

/** Selects the codes where the browser lets no script write to the clipboard, so that the user can. */
async function copy(list: HTMLElement, actions: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(textOf(list));
    const said = actions.querySelector<HTMLElement>("[role=status]");
    if (said) said.textContent = said.dataset["copied"] ?? "";
  } catch {
    getSelection()?.selectAllChildren(list);
  }
}

/** The URL of the file is a random id of this page, and the file stays in the browser. */
function download(list: HTMLElement): void {
  const { heading = "", file = "recovery-codes.txt" } = list.dataset;
  const url = URL.createObjectURL(new Blob([`${heading}\n\n${textOf(list)}`], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
