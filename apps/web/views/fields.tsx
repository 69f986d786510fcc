/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Frame } from "./frame.ts";

type FieldProps = {
  label: string;
  /** Of the `name` attribute, and the id. */
  name: string;
  value?: string | undefined;
  autofocus?: boolean;
  /** The form's problem is about this field: it refers to the alert with the id `problem`. */
  invalid?: boolean;
};

const aria = (invalid: boolean | undefined) =>
  invalid ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {};

function Field({ label, name, children }: Pick<FieldProps, "label" | "name"> & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
    </div>
  );
}

/** A person's display name. RG-09. */
function NameField({ label, name, value, autofocus, invalid }: FieldProps) {
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

type PasswordFieldProps = Omit<FieldProps, "value"> & {
  frame: Frame;
  autocomplete?: "current-password" | "new-password";
  /** The id of what else describes the field. */
  describedBy?: string;
  /** Why this password is refused. It stands at the field, not in the alert of the page. */
  problem?: string | undefined;
  /** The address that password managers save with it, where the form has no field for it. */
  account?: string;
  /** Beside the label. */
  aside?: ComponentChildren;
  /** Between the label and the field. */
  children?: ComponentChildren;
};

/** A password, with a button that shows it where scripts run. PW-02. */
export function PasswordField(props: PasswordFieldProps) {
  const { frame, label, name, autocomplete = "current-password", autofocus, aside, account } = props;
  const { invalid = false, problem, describedBy } = props;
  const problemId = `${name}-problem`;
  const described = [invalid && "problem", problem && problemId, describedBy].filter(Boolean).join(" ");
  return (
    <div class="field">
      {aside === undefined ? (
        <label for={name}>{label}</label>
      ) : (
        <div class="label-row">
          <label for={name}>{label}</label>
          {aside}
        </div>
      )}
      {account === undefined ? null : (
        <input type="text" name="username" autocomplete="username" value={account} hidden readonly />
      )}
      {props.children}
      <div class="password">
        <input
          id={name}
          name={name}
          type="password"
          autocomplete={autocomplete}
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus={autofocus}
          {...(described && { "aria-describedby": described })}
          {...((invalid || problem) && { "aria-invalid": "true" as const })}
        />
        <button type="button" class="show" hidden data-shows={name} aria-pressed="false">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z" />
            <path class="closed" d="m4 4 16 16" />
          </svg>
          <span class="unseen">{frame.texts.password.show}</span>
        </button>
      </div>
      {problem === undefined ? null : (
        <p class="problem" role="alert" id={problemId}>
          {problem}
        </p>
      )}
    </div>
  );
}

type NewPasswordProps = Omit<PasswordFieldProps, "autocomplete" | "describedBy" | "children" | "aside" | "invalid"> & {
  /** The fewest characters of a password. PW-01. */
  least: number;
};

/** A new password. What is demanded of it stands above the field. */
export function NewPasswordField({ least, ...props }: NewPasswordProps) {
  const rule = `${props.name}-rule`;
  return (
    <PasswordField {...props} autocomplete="new-password" describedBy={rule}>
      <small id={rule}>{props.frame.texts.password.rule(least)}</small>
    </PasswordField>
  );
}

type NewAccountProps = {
  frame: Frame;
  /** The address of the account. */
  email: string;
  labels: { name: string; password: string };
  name: string | undefined;
  least: number;
  problem: string | undefined;
  /** The field that the problem is about. */
  field: "name" | "email" | "password" | undefined;
};

/** The name and password of an account whose address is known. A problem of the password stands at its field. */
export function NewAccountFields({ frame, email, labels, name, least, problem, field }: NewAccountProps) {
  const atPassword = field === "password";
  return (
    <>
      <NameField label={labels.name} name="name" value={name} autofocus={!atPassword} invalid={field === "name"} />
      <NewPasswordField
        frame={frame}
        label={labels.password}
        name="password"
        least={least}
        account={email}
        autofocus={atPassword}
        problem={atPassword ? problem : undefined}
      />
    </>
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
