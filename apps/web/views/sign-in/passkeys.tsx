/** @jsxImportSource preact */
import type { Texts } from "@gatehouse/languages";
import { Hidden } from "../layout.tsx";

type PasskeyTexts = Texts["passkeys"];

/** A ceremony that a page can run: the options for the browser, and the sealed challenge that comes back. */
export type Ceremony = { options: object; sealed: string };

/**
 * What the script tells the browser's password manager about this account's passkeys, or one that no account has.
 * WA-10.
 */
export function PasskeySignals({ signals }: { signals: readonly object[] }) {
  return signals.length > 0 ? <div hidden data-passkey-signals={JSON.stringify(signals)} /> : null;
}

type CeremonyButtonProps = {
  ceremony: Ceremony;
  /** Where the form goes. */
  action: string;
  label: string;
  /** Hidden fields besides the challenge, with the CSRF token. */
  fields: Record<string, string | undefined>;
};

type CeremonyFormProps = CeremonyButtonProps & {
  kind: "get" | "create";
  quiet?: boolean;
  /** What the script shows if the browser has no passkeys, if its user cancels, and more. */
  data: Record<`data-${string}`, string>;
};

/** A form that the script of the page fills in with the browser's answer. Without scripts it posts an empty one. WA-11. */
function CeremonyForm({ kind, ceremony, action, label, fields, quiet = false, data }: CeremonyFormProps) {
  return (
    <form
      class="stack"
      method="post"
      action={action}
      data-passkey={kind}
      data-options={JSON.stringify(ceremony.options)}
      {...data}
    >
      <Hidden values={{ ...fields, challenge: ceremony.sealed, credential: "" }} />
      <button class={quiet ? "button quiet" : "button"} type="submit">
        {label}
      </button>
      <p class="note danger" role="alert" data-message hidden />
    </form>
  );
}

type PasskeyButtonProps = CeremonyButtonProps & {
  texts: PasskeyTexts;
  /** Also offers passkeys in the suggestions of the page's email field. WA-04. */
  autofill?: boolean;
};

/** A button that asks the browser for a passkey and posts the answer. WA-04. */
export function PasskeyButton({ texts, autofill = false, ...form }: PasskeyButtonProps) {
  const data = {
    "data-unsupported": texts.unsupported,
    "data-cancelled": texts.cancelled,
    ...(autofill && { "data-autofill": "" }),
  };
  return <CeremonyForm kind="get" quiet data={data} {...form} />;
}

type PasskeySignInProps = Pick<PasskeyButtonProps, "ceremony" | "fields" | "texts"> & { signals: readonly object[] };

/**
 * The passkeys of the sign-in page: a button, and the suggestions of the email field. If the browser gives none, the form
 * posts its `problem`, for the sign-in log, and what was typed as `email`. WA-04, SL-01.
 */
export function PasskeySignIn({ ceremony, fields, texts, signals }: PasskeySignInProps) {
  return (
    <>
      <PasskeyButton
        ceremony={ceremony}
        action="/sign-in/passkey"
        fields={{ ...fields, problem: "", email: "" }}
        label={texts.signIn}
        texts={texts}
        autofill
      />
      <PasskeySignals signals={signals} />
    </>
  );
}

type AddPasskeyProps = CeremonyButtonProps & {
  texts: PasskeyTexts;
  quiet?: boolean;
  /**
   * The ids of fields of another form that are posted too, under their own names. They have to be filled in before a
   * passkey is made, which is named after them.
   */
  companions?: readonly ("name" | "email")[];
};

/** A button that makes a passkey and posts it. */
export function AddPasskeyButton({ texts, companions, ...form }: AddPasskeyProps) {
  const data = {
    "data-unsupported": texts.addUnsupported,
    "data-cancelled": texts.addCancelled,
    "data-registered": texts.addRegistered,
    ...(companions && { "data-companions": companions.join(" "), "data-missing": texts.addMissing }),
  };
  return <CeremonyForm kind="create" data={data} {...form} />;
}
