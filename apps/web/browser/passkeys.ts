import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  platformAuthenticatorIsAvailable,
  sendSignal,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

// Runs the WebAuthn ceremonies of the pages. It only fills in and submits forms that the server rendered, and requests
// nothing itself.

type Ceremony = "create" | "get";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(form);
  });
}
offerAutofill();
reportSupport();
sendSignals();

/** Starts the form's ceremony. The library aborts a pending autofill request first. */
async function run(form: HTMLFormElement): Promise<void> {
  if (!browserSupportsWebAuthn()) return say(form, "unsupported");
  const empty = companionsOf(form).find(({ value }) => value.trim() === "");
  empty?.focus();
  if (empty) return say(form, "missing");
  say(form, undefined);
  setBusy(form, true);
  try {
    submit(form, await perform(form));
  } catch (error) {
    if (form.elements.namedItem("problem")) return report(form, error);
    setBusy(form, false);
    say(form, isAlreadyRegistered(error) ? "registered" : "cancelled");
  }
}

/** Posts why the browser gave no passkey: the server's log tells an admin whom the person asks. SL-01. */
function report(form: HTMLFormElement, error: unknown): void {
  field(form, "problem").value = (error as { name?: string } | undefined)?.name || "Error";
  field(form, "email").value = document.querySelector<HTMLInputElement>("input#email")?.value ?? "";
  form.submit();
}

function perform(form: HTMLFormElement): Promise<object> {
  const options = JSON.parse(form.dataset["options"] ?? "{}");
  return (form.dataset["passkey"] as Ceremony) === "create"
    ? startRegistration({ optionsJSON: named(options as PublicKeyCredentialCreationOptionsJSON, form) })
    : startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}

/** Names the passkey of a new account after what its user typed beside it. It is only a label. */
function named(
  options: PublicKeyCredentialCreationOptionsJSON,
  form: HTMLFormElement,
): PublicKeyCredentialCreationOptionsJSON {
  const typed = Object.fromEntries(companionsOf(form).map(({ name, value }) => [name, value.trim()]));
  const { name, displayName } = options.user;
  return {
    ...options,
    user: { ...options.user, name: typed["email"] ?? name, displayName: typed["name"] ?? displayName },
  };
}

/** Offers passkeys in the suggestions of the email field. */
async function offerAutofill(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>("form[data-passkey=get][data-autofill]");
  if (!form || !(await browserSupportsWebAuthnAutofill())) return;
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = JSON.parse(form.dataset["options"] ?? "{}");
  try {
    submit(form, await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
  } catch {
    // Aborted by the button, or the user chose nothing: the page stays as it is.
  }
}

function submit(form: HTMLFormElement, credential: object): void {
  field(form, "credential").value = JSON.stringify(credential);
  const keep = document.querySelector<HTMLInputElement>("input[type=checkbox][name=keep]");
  if (keep && form.elements.namedItem("keep")) field(form, "keep").value = keep.checked ? keep.value : "";
  for (const { name, value } of companionsOf(form)) field(form, name).value = value;
  form.submit();
}

/** Fields beside the form that are posted with it: the name and the address of a new user. */
function companionsOf(form: HTMLFormElement): HTMLInputElement[] {
  const ids = form.dataset["companions"]?.split(" ") ?? [];
  return ids.flatMap((id) => document.querySelector<HTMLInputElement>(`input#${id}`) ?? []);
}

const field = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement;

function setBusy(form: HTMLFormElement, busy: boolean): void {
  for (const button of form.querySelectorAll("button")) button.disabled = busy;
}

/** Shows one of the form's own messages, or none. */
function say(form: HTMLFormElement, message: "unsupported" | "cancelled" | "registered" | "missing" | undefined): void {
  const place = form.querySelector<HTMLElement>("[data-message]");
  if (!place) return;
  place.textContent = message === undefined ? "" : (form.dataset[message] ?? "");
  place.hidden = message === undefined;
}

const isAlreadyRegistered = (error: unknown) => (error as { name?: string } | undefined)?.name === "InvalidStateError";

/**
 * Tells the sign-in form whether this device can make a passkey, so that the server offers one only where it works.
 * WA-13.
 */
async function reportSupport(): Promise<void> {
  const support = document.querySelector<HTMLInputElement>("input[type=hidden][name=passkeys]");
  if (support && browserSupportsWebAuthn() && (await platformAuthenticatorIsAvailable())) support.value = "available";
}

/** Passes on what the server knows, so that password managers forget removed passkeys and show current names. WA-10. */
async function sendSignals(): Promise<void> {
  for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-passkey-signals]")) {
    for (const signal of JSON.parse(dataset["passkeySignals"] ?? "[]")) {
      // Not every browser has the signal methods, and none of them says whether it did anything.
      await sendSignal(signal).catch(() => undefined);
    }
  }
}
