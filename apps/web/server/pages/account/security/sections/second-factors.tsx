/** @jsxImportSource preact */
import { canTakeSecondStep } from "@gatehouse/accounts";
import { SecondFactorsSection } from "../../../../../views/account/security/second-factors.tsx";
import type { SecuritySection } from "./section.ts";

/** The authenticator app, recovery codes and remembered browsers of the user. */
export const secondFactorsSection: SecuritySection = async ({ session, app, frame }, csrf) => {
  const { people, store, now } = app.deps;
  const { id } = session.user;
  const [totp, codes, browsers, enrolment] = await Promise.all([
    people.findTotp(id),
    people.countRecoveryCodes(id),
    people.listRememberedBrowsers(id, now()),
    store.findEnrolment(id),
  ]);
  return (
    <SecondFactorsSection
      {...{ frame, csrf, totp, codes, browsers }}
      takesCodes={canTakeSecondStep(enrolment)}
      now={now()}
    />
  );
};
