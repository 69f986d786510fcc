// Lets people see the password that they type. The server renders the buttons hidden, so that there is none without
// scripts. PW-02.

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-shows]")) {
  const input = document.querySelector<HTMLInputElement>(`input#${button.dataset["shows"]}`);
  if (!input) continue;
  const show = (shown: boolean) => {
    input.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  };
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps its focus, a phone its keyboard
  button.addEventListener("click", () => show(input.type === "password"));
  // Browsers save what is typed into a field of text, and show a page from their cache as it was left.
  input.form?.addEventListener("submit", () => show(false));
  window.addEventListener("pagehide", () => show(false));
  button.hidden = false;
}
