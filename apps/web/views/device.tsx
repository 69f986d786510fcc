/** @jsxImportSource hono/jsx */
import type { DeviceRequestView } from "@gatehouse/auth";
import { Alert, EnvironmentBadge, Hidden, Layout, Scopes } from "./layout.tsx";
import { SignedInAs } from "./signed-in-as.tsx";
import { ago } from "./time.ts";

type DeviceCodeProps = { csrf: string; email: string; userCode?: string | undefined; problem?: string };

/** The user enters the code that the device shows. RFC 8628 §3.3. */
export function DeviceCodePage({ csrf, email, userCode, problem }: DeviceCodeProps) {
  return (
    <Layout title="Connect a device">
      <div class="card">
        <div class="heading">
          <h1>Connect a device</h1>
          <p>Enter the code shown on your device.</p>
        </div>
        <SignedInAs email={email} csrf={csrf} continuation={{ request: undefined, next: "/device" }} />
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/device">
          <Hidden values={{ csrf }} />
          <div class="field">
            <label for="user_code">Code</label>
            <input
              id="user_code"
              class="code"
              name="user_code"
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
            Continue
          </button>
        </form>
      </div>
    </Layout>
  );
}

type DeviceConfirmProps = { view: DeviceRequestView; csrf: string; email: string; now: number };

/** Shows the code again, who requests access and from where. Only the button grants it. RFC 8628 §3.3.1, §5.4; DF-09, DF-10. */
export function DeviceConfirmPage({ view, csrf, email, now }: DeviceConfirmProps) {
  const app = view.client.applicationName;
  return (
    <Layout title={`Connect ${app}?`}>
      <div class="card">
        <div class="heading">
          <h1>
            Connect <bdi>{app}</bdi>? <EnvironmentBadge environment={view.client.environment} />
          </h1>
          <p>Make sure that your device shows this code.</p>
        </div>
        <p class="user-code">{view.userCode}</p>
        <p class="note warning">
          This gives a device access to your account. Continue only if you started this and the device is with you. If someone sent you this
          code or link, choose Deny.
        </p>
        <dl class="facts">
          {view.requestedFrom ? (
            <>
              <dt>Requested from</dt>
              <dd>{view.requestedFrom}</dd>
            </>
          ) : null}
          <dt>Requested</dt>
          <dd>
            <time datetime={new Date(view.requestedAt * 1000).toISOString()}>{ago(view.requestedAt, now)}</time>
          </dd>
        </dl>
        <SignedInAs email={email} csrf={csrf} continuation={{ request: undefined, next: `/device?user_code=${view.userCode}` }} />
        <div class="heading">
          <h2>This will allow it to</h2>
          <Scopes scopes={view.scopes} />
        </div>
        <form class="stack" method="post" action="/device">
          <Hidden values={{ csrf, user_code: view.userCode }} />
          <div class="choice">
            <button class="button quiet" type="submit" name="decision" value="deny">
              Deny
            </button>
            <button class="button" type="submit" name="decision" value="allow">
              Allow
            </button>
          </div>
        </form>
      </div>
    </Layout>
  );
}

const OUTCOME = {
  approved: { title: "Device connected", text: "Go back to your device. It will continue in a few seconds." },
  denied: { title: "Access denied", text: "The device can't access your account. You can close this page." },
} as const;

export function DeviceDonePage({ outcome }: { outcome: keyof typeof OUTCOME }) {
  const { title, text } = OUTCOME[outcome];
  return (
    <Layout title={title}>
      <div class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
        <a class="button quiet" href="/account">
          Manage connected apps
        </a>
      </div>
    </Layout>
  );
}
