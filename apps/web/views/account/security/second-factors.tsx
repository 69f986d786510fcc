/** @jsxImportSource preact */
import type { RememberedBrowser, TotpRow } from "@gatehouse/accounts";
import { ago, moment } from "@gatehouse/languages";
import type { Frame } from "../../frame.ts";
import { Hidden } from "../../layout.tsx";
import { browserWords } from "../browser.ts";

type SectionProps = {
  frame: Frame;
  csrf: string;
  totp: TotpRow | undefined;
  /** The number of unused recovery codes. */
  codes: number;
  /** Whether recovery codes could replace a second factor. */
  takesCodes: boolean;
  browsers: readonly RememberedBrowser[];
  now: number;
};

/** The authenticator app, the recovery codes and the remembered browsers of an account. MF-03, MF-05, MF-08. */
export function SecondFactorsSection(props: SectionProps) {
  const { frame, csrf, totp, codes, takesCodes } = props;
  const { secondStep } = frame.texts;
  return (
    <section class="card" aria-labelledby="authenticator">
      <div class="heading">
        <h2 id="authenticator">{secondStep.appTitle}</h2>
        <p>{totp ? secondStep.appOn(moment(totp.createdAt, frame.locale)) : secondStep.appOff}</p>
      </div>
      {totp ? (
        <form method="post" action="/account/security/authenticator">
          <Hidden values={{ csrf, action: "remove" }} />
          <button class="button quiet" type="submit" aria-label={secondStep.removeApp}>
            {secondStep.remove}
          </button>
        </form>
      ) : (
        <p>
          <a class="button" href="/account/security/authenticator">
            {secondStep.appSetUp}
          </a>
        </p>
      )}
      {takesCodes ? (
        <>
          <div class="heading">
            <h2>{secondStep.codesSection}</h2>
            <p>{codes === 0 ? secondStep.codesNone : secondStep.codesLeft(codes)}</p>
          </div>
          <form method="post" action="/account/security/recovery-codes">
            <Hidden values={{ csrf }} />
            <button class="button quiet" type="submit">
              {secondStep.newCodes}
            </button>
          </form>
        </>
      ) : null}
      <Browsers {...props} />
    </section>
  );
}

function Browsers({ frame, csrf, browsers, now }: SectionProps) {
  const { locale, texts } = frame;
  const { secondStep } = texts;
  if (browsers.length === 0) return null;
  return (
    <>
      <div class="heading">
        <h2>{secondStep.browsersTitle}</h2>
        <p>{secondStep.browsersText}</p>
      </div>
      <ul class="rows">
        {browsers.map(({ id, userAgent, address, lastUsedAt }) => {
          const browser = browserWords(userAgent, texts);
          return (
            <li>
              <div>
                <p>
                  <strong>{browser}</strong>
                </p>
                <p class="small muted">
                  <bdi dir="ltr">{address}</bdi> · {secondStep.lastUsed(ago(lastUsedAt, now, locale))}
                </p>
              </div>
              <form method="post" action="/account/security/browsers">
                <Hidden values={{ csrf, id }} />
                <button class="button quiet compact" type="submit" aria-label={secondStep.forgetOf(browser)}>
                  {secondStep.forget}
                </button>
              </form>
            </li>
          );
        })}
      </ul>
    </>
  );
}
