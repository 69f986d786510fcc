/** @jsxImportSource preact */
import type { Continuation, TotpSetup } from "@gatehouse/accounts";
import type { ComponentChildren } from "preact";
import { renderSVG } from "uqr";
import { continuationQuery } from "../continuation.ts";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";

type Common = {
  frame: Frame;
  csrf: string;
  /** Hidden fields of each form: the continuation, and which step it is. */
  fields: Record<string, string | undefined>;
  problem?: string | undefined;
};

type CodeFieldProps = { label: string; problem?: string | undefined; recovery?: boolean };

/** One field for every code, so that one-time codes can be filled in. AX-01. */
function CodeField({ label, problem, recovery = false }: CodeFieldProps) {
  return (
    <div class="field">
      <label for="code">{label}</label>
      <input
        id="code"
        name="code"
        type="text"
        dir="ltr"
        class="code"
        autocomplete={recovery ? "off" : "one-time-code"}
        inputmode={recovery ? "text" : "numeric"}
        autocapitalize={recovery ? "characters" : "none"}
        spellcheck={false}
        maxlength={64}
        required
        autofocus
        {...(problem ? { "aria-describedby": "problem", "aria-invalid": "true" } : {})}
      />
    </div>
  );
}

type SecondStepProps = Common & {
  continuation: Continuation;
  /** Whether the user has an authenticator app, or at least recovery codes. */
  takesCodes: boolean;
  /** Asks for a recovery code instead. `other` is the link that switches. */
  recovery: boolean;
  other: string;
  canRemember: boolean;
  /** The button for passkeys and security keys. */
  keys?: ComponentChildren;
};

/** The second step of a sign-in. MF-02. */
export function SecondStepPage(props: SecondStepProps) {
  const { frame, csrf, fields, problem, continuation, takesCodes, recovery, other, canRemember, keys } = props;
  const { secondStep } = frame.texts;
  return (
    <Layout frame={frame} title={secondStep.title} csrf={csrf} script={keys !== undefined}>
      <div class="card">
        <div class="heading">
          <h1>{secondStep.title}</h1>
          <p>{recovery ? secondStep.recoveryText : takesCodes ? secondStep.text : secondStep.keyText}</p>
        </div>
        <Alert>{problem}</Alert>
        {takesCodes || recovery ? (
          <form class="stack" method="post" action="/sign-in/second-step">
            <Hidden values={{ csrf, ...fields, ...(recovery && { recovery: "1" }) }} />
            <CodeField label={secondStep.code} problem={problem} recovery={recovery} />
            {canRemember ? (
              <label class="check">
                <input type="checkbox" name="remember" value="1" /> {secondStep.remember}
              </label>
            ) : null}
            <button class="button" type="submit">
              {secondStep.submit}
            </button>
          </form>
        ) : null}
        {keys}
        <p class="small">
          <a href={other}>{recovery ? secondStep.useApp : secondStep.useRecovery}</a>
        </p>
      </div>
      <p class="below">
        <a href={`/sign-in${continuationQuery(continuation)}`}>{secondStep.back}</a>
      </p>
    </Layout>
  );
}

/** The QR code, the link and the key of an authenticator app under setup, with the field for its first code. MF-03. */
export function TotpSetupForm({
  frame,
  csrf,
  fields,
  problem,
  setup,
  action,
}: Common & { setup: TotpSetup; action: string }) {
  const { secondStep } = frame.texts;
  return (
    <>
      <div
        class="qr"
        role="img"
        aria-label={secondStep.qrCode}
        dangerouslySetInnerHTML={{ __html: renderSVG(setup.link, { border: 2 }) }}
      />
      <p class="small">
        <a href={setup.link}>{secondStep.openApp}</a>
      </p>
      <p class="small muted">
        {secondStep.typeKey}{" "}
        <code dir="ltr" class="key">
          {setup.key.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
      </p>
      <form class="stack" method="post" action={action}>
        <Hidden values={{ csrf, ...fields, setup: setup.sealed }} />
        <CodeField label={secondStep.code} problem={problem} />
        <button class="button" type="submit">
          {secondStep.submit}
        </button>
      </form>
    </>
  );
}

type EnrolProps = Common & {
  /** Undefined where only a passkey would do. */
  setup: TotpSetup | undefined;
  /** Where the user confirms who they are first; undefined if that is done. SN-03. */
  confirmation: string | undefined;
  /** Why the user is asked. */
  because: "required" | "offered";
};

/** Sets up a second factor inside a sign-in. MF-09, AL-02. */
export function EnrolPage({ frame, csrf, fields, problem, setup, confirmation, because }: EnrolProps) {
  const { secondStep } = frame.texts;
  return (
    <Layout frame={frame} title={secondStep.setUpTitle} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{setup ? secondStep.setUpTitle : secondStep.title}</h1>
          <p>
            {setup
              ? [
                  because === "required" ? secondStep.setUpRequired : secondStep.setUpOffered,
                  confirmation === undefined && secondStep.setUpText,
                ]
                  .filter(Boolean)
                  .join(" ")
              : secondStep.passkeyOffered}
          </p>
        </div>
        <Alert>{problem}</Alert>
        {setup === undefined ? (
          <a class="button" href="/account/security">
            {secondStep.security}
          </a>
        ) : confirmation === undefined ? (
          <TotpSetupForm {...{ frame, csrf, fields, problem, setup }} action="/sign-in/second-step" />
        ) : (
          <a class="button" href={confirmation}>
            {secondStep.appSetUp}
          </a>
        )}
        {because === "offered" ? (
          <form method="post" action="/sign-in/second-step">
            <Hidden values={{ csrf, ...fields, action: "not_now" }} />
            <button class="button quiet" type="submit">
              {secondStep.notNow}
            </button>
          </form>
        ) : null}
      </div>
    </Layout>
  );
}

/** Recovery codes, shown once, with the ways to keep them where scripts run. MF-05. */
export function RecoveryCodes({
  frame,
  codes,
  children,
}: {
  frame: Frame;
  codes: readonly string[];
  children?: ComponentChildren;
}) {
  const { secondStep } = frame.texts;
  const heading = `${secondStep.codesTitle} · ${frame.productName}`;
  return (
    <div class="card">
      <div class="heading">
        <h1>{secondStep.codesTitle}</h1>
        <p>{secondStep.codesText}</p>
      </div>
      <ol class="codes" dir="ltr" data-codes data-heading={heading} data-file="recovery-codes.txt">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions" hidden data-codes-actions>
        <button class="button quiet compact" type="button" data-does="copy">
          {secondStep.copyCodes}
        </button>
        <button class="button quiet compact" type="button" data-does="download">
          {secondStep.downloadCodes}
        </button>
        <button class="button quiet compact" type="button" data-does="print">
          {secondStep.printCodes}
        </button>
        <span class="small muted" role="status" data-copied={secondStep.codesCopied} />
      </div>
      {children}
    </div>
  );
}

/** The codes at the end of a setup inside a sign-in, with the button that continues. */
export function NewCodesPage({ frame, csrf, fields, codes }: Common & { codes: readonly string[] }) {
  const { secondStep } = frame.texts;
  return (
    <Layout frame={frame} title={secondStep.codesTitle} script>
      <RecoveryCodes frame={frame} codes={codes}>
        <form class="stack" method="post" action="/sign-in/second-step">
          <Hidden values={{ csrf, ...fields, action: "continue" }} />
          <button class="button" type="submit">
            {secondStep.submit}
          </button>
        </form>
      </RecoveryCodes>
    </Layout>
  );
}
