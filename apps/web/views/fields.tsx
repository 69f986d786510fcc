/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

type FieldProps = {
  label: string;
  /** Of the `name` attribute, and the id. */
  name: string;
  value?: string | undefined;
  autofocus?: boolean;
  /** The form's problem is about this field: it refers to the alert with the id `problem`. */
  invalid?: boolean;
};

const aria = (invalid: boolean | undefined, describedBy?: string) =>
  invalid
    ? { "aria-describedby": "problem", "aria-invalid": "true" as const }
    : describedBy === undefined
      ? {}
      : { "aria-describedby": describedBy };

function Field({ label, name, children }: Pick<FieldProps, "label" | "name"> & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
    </div>
  );
}

/** A person's display name. RG-09. */
export function NameField({ label, name, value, autofocus, invalid }: FieldProps) {
  return (
    <Field label={label} name={name}>
      <input
        id={name}
        name={name}
        autocomplete="name"
        maxlength={80}
        required
        value={value}
        autofocus={autofocus}
        {...aria(invalid)}
      />
    </Field>
  );
}

/**
 * An email address. AX-01: the browser fills it in. Its form has `novalidate`, because browsers refuse addresses that
 * are valid, such as josé@example.com.
 */
export function EmailField({ label, name, value, autofocus, invalid }: FieldProps) {
  return (
    <Field label={label} name={name}>
      <input
        id={name}
        name={name}
        type="email"
        autocomplete={name === "email" ? "username" : "email"}
        autocapitalize="none"
        spellcheck={false}
        maxlength={254}
        required
        value={value}
        autofocus={autofocus}
        {...aria(invalid)}
      />
    </Field>
  );
}

/** A new password. `account` is the address that password managers save with it, where the form has no field for it. */
export function NewPasswordField({
  label,
  name,
  autofocus,
  invalid,
  rule,
  account,
}: FieldProps & { rule: string; account?: string }) {
  return (
    <Field label={label} name={name}>
      {account === undefined ? null : (
        <input type="text" name="username" autocomplete="username" value={account} hidden readonly />
      )}
      <input
        id={name}
        name={name}
        type="password"
        autocomplete="new-password"
        required
        autofocus={autofocus}
        {...aria(invalid, `${name}-rule`)}
      />
      <small id={`${name}-rule`}>{rule}</small>
    </Field>
  );
}

/** A mailed code: one field, which the browser or phone fills in. AX-01. */
export function CodeField({ label, name, invalid }: FieldProps) {
  return (
    <Field label={label} name={name}>
      <input
        id={name}
        name={name}
        inputmode="numeric"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        maxlength={16}
        required
        autofocus
        dir="ltr"
        {...aria(invalid)}
      />
    </Field>
  );
}
