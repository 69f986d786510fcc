/** @jsxImportSource preact */
import { normaliseEmail } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import { Name, Rich } from "../../../views/rich.tsx";
import type { HandlerPath } from "../../routing/policy-table.ts";
import type { Visit } from "../../routing/visit.ts";

type Signed = Visit<ActiveSession>;
/** Says what a form does, from the fields that its handler reads. Undefined: the form is not kept. */
type Describe = (form: URLSearchParams, visit: Signed) => ComponentChildren | Promise<ComponentChildren>;

/**
 * The forms that wait for a confirmation, each with the words for what it does: users must be able to read what they
 * confirm. A form that is not here is not kept, and its user fills it in again; a new password, for one, cannot be
 * shown. SN-03.
 */
const ACTS: Partial<Record<HandlerPath, Describe>> = {
  "/account/email": (form, { texts }) => {
    const email = normaliseEmail(form.get("new_email") ?? "");
    return email === undefined ? undefined : (
      <Rich text={texts.confirm.acts.email} slots={{ email: <Name>{email}</Name> }} />
    );
  },
  "/account/delete": (_, { texts }) => texts.confirm.acts.deletion,
  "/account/export": (_, { texts }) => texts.confirm.acts.export,
  "/account/sessions": (form, { texts: { confirm } }) =>
    form.get("apps") === "on" ? confirm.acts.sessionsAndApps : confirm.acts.sessions,
  "/account/identities": identity,
  "/account/security/passkeys": passkey,
  "/account/security/authenticator": (form, { texts: { confirm } }) =>
    form.get("action") === "remove" ? confirm.acts.removeApp : confirm.acts.addApp,
  "/account/security/recovery-codes": (_, { texts }) => texts.confirm.acts.recoveryCodes,
  "/sign-in/passkey-offer": (_, { texts }) => texts.confirm.acts.addPasskey,
};

/** What a form that was sent to `path` does, in the page's language; undefined if there are no words for it. */
export async function describeKeptForm(path: string, form: URLSearchParams, visit: Signed): Promise<ComponentChildren> {
  return Object.hasOwn(ACTS, path) ? ACTS[path as HandlerPath]?.(form, visit) : undefined;
}

/** As the handler does, it looks for `connect` first. */
async function identity(form: URLSearchParams, { texts, app, session }: Signed): Promise<ComponentChildren> {
  const { acts } = texts.confirm;
  const [connect, remove] = [form.get("connect"), form.get("remove")];
  const { people } = app.deps;
  const removed =
    connect === null && (await people.listIdentities(session.user.id)).find(({ id }) => id === remove)?.provider;
  const provider = (await people.listSignInProviders()).find(({ id }) => id === (connect ?? removed));
  if (!provider) return undefined;
  return (
    <Rich text={connect === null ? acts.disconnect : acts.connect} slots={{ provider: <Name>{provider.name}</Name> }} />
  );
}

async function passkey(form: URLSearchParams, { texts, app, session }: Signed): Promise<ComponentChildren> {
  const { acts } = texts.confirm;
  if (form.get("action") !== "remove") return acts.addPasskey;
  const passkeys = await app.deps.people.listPasskeys(session.user.id);
  const removed = passkeys.find(({ credentialId }) => credentialId === form.get("id"));
  return removed && <Rich text={acts.removePasskey} slots={{ name: <Name>{removed.name}</Name> }} />;
}
