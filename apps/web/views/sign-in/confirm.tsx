/** @jsxImportSource preact */
import type { MissingProofs } from "@gatehouse/accounts";
import type { ComponentChildren } from "preact";
import { continuationQuery } from "../continuation.ts";
import { PasswordField } from "../fields.tsx";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";
import { Rich } from "../rich.tsx";
import { SignedInAs } from "../signed-in-as.tsx";
import { type Ceremony, PasskeyButton } from "./passkeys.tsx";
import { ProviderButton, type UpstreamButton } from "./provider-buttons.tsx";

/**
 * A confirmation and where it returns: a local path, and a sealed form to send there; or a pending request that asks
 * for a new sign-in of the same user, which continues after it.
 */
export type Confirmation = { next: string | undefined; form: string | undefined; request?: string | undefined };

/** The page that asks for the confirmation. */
export function confirmPath({ next, form, request }: Confirmation): string {
  return `/sign-in/confirm?${new URLSearchParams({
    ...(next !== undefined && { next }),
    ...(form !== undefined && { form }),
    ...(request !== undefined && { request }),
  })}`;
}

/** Where the forms of the page go. A request is in it, so that it is kept if the session has ended meanwhile. */
const actionOf = ({ next, request }: Confirmation) => confirmPath({ next, form: undefined, request });

type ConfirmProps = Confirmation & {
  frame: Frame;
  user: { name: string; email: string };
  csrf: string;
  /** The name of the app whose request asks for it. */
  app?: string | undefined;
  /** What the kept form does. */
  act: ComponentChildren;
  hasPassword: boolean;
  hasRecoveryCodes: boolean;
  missing: MissingProofs;
  /** For users with a passkey. */
  ceremony: Ceremony | undefined;
  /** Providers at which the user has an account, while the first factor is missing. UP-13. */
  providers: readonly UpstreamButton[];
  problem: string | undefined;
  /** The problem is about this field alone, and stands at it. */
  wrong?: "password" | undefined;
};

/**
 * Asks a signed-in user for what is missing of password and code, or for a passkey, before a sensitive change or for an
 * app. It names the user and does not ask who it is. Where only the passkey counts, it says what to do without it.
 * SN-03.
 */
export function ConfirmPage(props: ConfirmProps) {
  const { frame, user, csrf, next, form, request, act, problem } = props;
  const { hasPassword, hasRecoveryCodes, missing, ceremony, providers } = props;
  const { confirm, secondStep, passkeys } = frame.texts;
  const wantsPasskey = missing.second === "recovery_code";
  const canType = (hasPassword || !missing.first) && (!wantsPasskey || hasRecoveryCodes);
  return (
    <Layout frame={frame} title={confirm.title} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{confirm.title}</h1>
          <p>
            <Why {...props} />
          </p>
        </div>
        <SignedInAs
          texts={frame.texts}
          name={user.name}
          email={user.email}
          csrf={csrf}
          continuation={{ request, next }}
        />
        {act === undefined ? null : <Act frame={frame} lead={confirm.asked} act={act} />}
        <Alert>{props.wrong === undefined ? problem : undefined}</Alert>
        {wantsPasskey ? null : canType && <TypedProofs {...props} />}
        {ceremony ? (
          <PasskeyButton
            ceremony={ceremony}
            action={actionOf(props)}
            label={secondStep.useKey}
            fields={{ csrf, next, form, request }}
            texts={passkeys}
          />
        ) : null}
        {wantsPasskey ? <WithoutPasskey {...props} canType={canType} /> : null}
        {providers.map((provider) => (
          <form class="stack" method="post" action={actionOf(props)}>
            <Hidden values={{ csrf, next, form, request, provider: provider.id }} />
            <ProviderButton frame={frame} provider={provider} />
          </form>
        ))}
        <p class="small">
          <a href={otherWay(props)}>{confirm.other}</a>
        </p>
      </div>
    </Layout>
  );
}

function Why({ frame, app, missing, ceremony }: ConfirmProps) {
  const { confirm } = frame.texts;
  if (app !== undefined) return <Rich text={confirm.forApp} slots={{ app: <bdi>{app}</bdi> }} />;
  return <>{missing.second === "recovery_code" && ceremony ? confirm.passkeyText : confirm.text}</>;
}

/** The sign-in page, with every way of this account. A request continues from there; a change is confirmed by it. */
function otherWay({ user: { email }, next, form, request }: ConfirmProps): string {
  return request === undefined
    ? `/sign-in?${new URLSearchParams({ email, next: confirmPath({ next, form }) })}`
    : `/sign-in${continuationQuery({ request, next }, { email })}`;
}

/** What to do on a device without the passkey: another device, or a recovery code. MF-07. */
function WithoutPasskey({ canType, ...props }: ConfirmProps & { canType: boolean }) {
  const { confirm, secondStep } = props.frame.texts;
  return (
    <>
      {props.ceremony ? <p class="small muted">{confirm.elsewhere}</p> : null}
      {canType ? (
        <>
          <h2>{secondStep.useRecovery}</h2>
          <TypedProofs {...props} />
        </>
      ) : null}
      {props.hasRecoveryCodes ? null : <p class="small muted">{confirm.lost}</p>}
    </>
  );
}

/** The form for a password and a code, as far as they are missing. */
function TypedProofs(props: ConfirmProps) {
  const { frame, user, csrf, next, form, request, missing, problem, wrong } = props;
  const { confirm, secondStep } = frame.texts;
  const invalid = problem && wrong === undefined;
  const onlyRecovery = missing.second === "recovery_code";
  return (
    <form class="stack" method="post" action={actionOf(props)}>
      <Hidden values={{ csrf, next, form, request }} />
      {missing.first ? (
        <PasswordField
          frame={frame}
          label={confirm.password}
          name="password"
          account={user.email}
          autofocus={!onlyRecovery}
          problem={wrong === "password" ? problem : undefined}
        />
      ) : null}
      {missing.second === null ? null : (
        <div class="field">
          <label for="code">{secondStep.code}</label>
          <input
            id="code"
            name="code"
            type="text"
            dir="ltr"
            class="code"
            autocomplete={onlyRecovery ? "off" : "one-time-code"}
            autocapitalize={onlyRecovery ? "characters" : "none"}
            spellcheck={false}
            maxlength={64}
            required
            autofocus={!missing.first && !onlyRecovery}
            {...(invalid && { "aria-invalid": "true" as const })}
            aria-describedby={invalid ? "problem code-help" : "code-help"}
          />
          <small id="code-help">{onlyRecovery ? secondStep.recoveryText : confirm.code}</small>
        </div>
      )}
      <button class="button" type="submit">
        {confirm.submit}
      </button>
    </form>
  );
}

/** What the user is about to do: the form may not be theirs. */
function Act({ frame, lead, act }: { frame: Frame; lead: string; act: ComponentChildren }) {
  const { confirm } = frame.texts;
  return (
    <div class="note">
      <p>{lead}</p>
      <p>
        <strong>{act}</strong>
      </p>
      <p class="small muted">{confirm.notAsked}</p>
    </div>
  );
}

type ConfirmedProps = {
  frame: Frame;
  act: ComponentChildren;
  path: string;
  fields: [name: string, value: string][];
  csrf: string;
};

/**
 * Sends the form that waited for the confirmation. A redirect cannot do that: it would turn the POST into a GET. The
 * button has no focus, so that a key pressed too long sends nothing.
 */
export function ConfirmedPage({ frame, act, path, fields, csrf }: ConfirmedProps) {
  const { confirm } = frame.texts;
  return (
    <Layout frame={frame} title={confirm.doneTitle}>
      <div class="card">
        <h1>{confirm.doneTitle}</h1>
        <Act frame={frame} lead={confirm.done} act={act} />
        <form class="stack" method="post" action={path}>
          <Hidden values={{ csrf }} />
          {fields.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button class="button" type="submit">
            {confirm.submit}
          </button>
        </form>
      </div>
    </Layout>
  );
}
