/** @jsxImportSource preact */
import type { DeviceRequestView } from "@gatehouse/auth";
import { ago, type Texts } from "@gatehouse/languages";
import { browserOf } from "@gatehouse/ui/browser";
import { browserWords } from "./account/browser.ts";
import { TestRunNote } from "./consent.tsx";
import type { Frame } from "./frame.ts";
import { Alert, EnvironmentBadge, Hidden, Layout, Scopes } from "./layout.tsx";
import { Rich } from "./rich.tsx";
import { SignedInAs } from "./signed-in-as.tsx";

type DeviceCodeProps = { frame: Frame; csrf: string; email: string; userCode?: string | undefined; problem?: string };

/** The user enters the code that the device shows, or compares it with one that a link filled in. RFC 8628 §3.3. */
export function DeviceCodePage({ frame, csrf, email, userCode, problem }: DeviceCodeProps) {
  const { device } = frame.texts;
  return (
    <Layout frame={frame} title={device.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{device.title}</h1>
          <p>{userCode && !problem ? device.confirmText : device.text}</p>
        </div>
        <SignedInAs
          texts={frame.texts}
          email={email}
          csrf={csrf}
          continuation={{ request: undefined, next: "/device" }}
        />
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/device">
          <Hidden values={{ csrf }} />
          <div class="field">
            <label for="user_code">{device.code}</label>
            <input
              id="user_code"
              class="code"
              name="user_code"
              dir="ltr"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              placeholder="XXXX-XXXX"
              maxlength={32}
              required
              autofocus
              value={userCode}
              {...(problem ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {})}
            />
          </div>
          <button class="button" type="submit" name="step" value="continue">
            {device.submit}
          </button>
        </form>
      </div>
    </Layout>
  );
}

type DeviceConfirmProps = { frame: Frame; view: DeviceRequestView; csrf: string; email: string; now: number };

/**
 * Shows the code again, who requests access and from where. Only the button grants it. RFC 8628 §3.3.1, §5.4; DF-09,
 * DF-10.
 */
export function DeviceConfirmPage({ frame, view, csrf, email, now }: DeviceConfirmProps) {
  const { texts, locale } = frame;
  const { device, consent } = texts;
  const app = view.client.applicationName;
  const continuation = { request: undefined, next: `/device?user_code=${view.userCode}` };
  return (
    <Layout frame={frame} title={device.confirmTitle(app)} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>
            <Rich text={device.confirmHeading} slots={{ app: <bdi>{app}</bdi> }} />{" "}
            <EnvironmentBadge environment={view.client.environment} texts={texts} />
          </h1>
          <p>{device.confirmText}</p>
        </div>
        <p class="user-code" dir="ltr">
          {view.userCode}
        </p>
        {view.testRun ? <TestRunNote app={app} texts={texts} /> : null}
        <p class="note warning">{device.warning}</p>
        <dl class="facts">
          <RequestedFrom view={view} texts={texts} />
          <dt>{device.requested}</dt>
          <dd>
            <time datetime={new Date(view.requestedAt * 1000).toISOString()}>{ago(view.requestedAt, now, locale)}</time>
          </dd>
        </dl>
        <SignedInAs texts={texts} email={email} csrf={csrf} continuation={continuation} />
        <div class="heading">
          <h2>{consent.allows}</h2>
          <Scopes scopes={view.scopes} locale={locale} />
        </div>
        <form class="stack" method="post" action={continuation.next}>
          <Hidden values={{ csrf, user_code: view.userCode, shown: view.shown }} />
          <div class="choice">
            <button class="button quiet" type="submit" name="decision" value="deny">
              {consent.deny}
            </button>
            <button class="button" type="submit" name="decision" value="allow">
              {consent.allow}
            </button>
          </div>
        </form>
      </div>
    </Layout>
  );
}

/** The address, and what the user agent means: its own words could claim anything. RFC 8628 §5.4. */
function RequestedFrom({ view, texts }: { view: DeviceRequestView; texts: Texts }) {
  const { browser, system } = browserOf(view.requestedUserAgent);
  const program = browser || system ? browserWords(view.requestedUserAgent, texts) : undefined;
  const known = [view.requestedAddress, program].filter((part) => part);
  if (known.length === 0) return null;
  return (
    <>
      <dt>{texts.device.requestedFrom}</dt>
      <dd>
        <bdi>{known.join(", ")}</bdi>
      </dd>
    </>
  );
}

export function DeviceDonePage({ frame, outcome }: { frame: Frame; outcome: "approved" | "denied" }) {
  const { device } = frame.texts;
  const { title, text } = device[outcome];
  return (
    <Layout frame={frame} title={title}>
      <div class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
        <a class="button quiet" href="/account">
          {device.manageApps}
        </a>
      </div>
    </Layout>
  );
}
