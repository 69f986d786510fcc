import { Alert, Anchor } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { SignInTestResult } from "@/trpc/types.ts";
import styles from "./test-result.module.css";

type Outcome = SignInTestResult["outcome"];
type Arrived = Extract<Outcome, { kind: "arrived" }>;
type Failed = Extract<Outcome, { kind: "failed" }>;

/** What a test of a sign-in found: what arrived and where it would lead, or the problem and what to change. */
export function TestResult({
  result: { outcome, advice, changedSince },
  name,
}: {
  result: SignInTestResult;
  name: string;
}) {
  return (
    <div className={styles["result"]}>
      <Verdict outcome={outcome} advice={advice} name={name} />
      {changedSince && (
        <Alert variant="light" color="gray" icon={<IconAlertTriangle aria-hidden="true" />}>
          The settings were changed since this test. Test again.
        </Alert>
      )}
      {outcome.kind === "arrived" ? <Facts outcome={outcome} /> : <Failure outcome={outcome} />}
    </div>
  );
}

function Verdict({ outcome, advice, name }: { outcome: Outcome; advice: string | null; name: string }) {
  if (outcome.kind === "failed")
    return (
      <Alert
        variant="light"
        color="red"
        icon={<IconCircleX aria-hidden="true" />}
        title={FAILED[outcome.problem](name)}
      >
        {advice}
      </Alert>
    );
  const refused = outcome.leadsTo.kind === "refused" || outcome.leadsTo.account?.disabled === true;
  return refused ? (
    <Alert
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`${name} works, but this user would not get in`}
    >
      {advice}
    </Alert>
  ) : (
    <Alert
      variant="light"
      color="teal"
      icon={<IconCircleCheck aria-hidden="true" />}
      title={`Signing in with ${name} works`}
    >
      {advice}
    </Alert>
  );
}

const FAILED: Record<Failed["problem"], (name: string) => string> = {
  denied: (name) => `${name} did not sign you in`,
  unreachable: (name) => `${name} could not be reached`,
  exchange_refused: (name) => `${name} refused this server`,
  answer_invalid: (name) => `The answer of ${name} is not valid`,
  sign_in_too_old: (name) => `The sign-in at ${name} is too old`,
  tenant_unknown: () => "Your tenant is not listed",
  misconfigured: () => "The provider is not set up completely",
};

function Facts({ outcome }: { outcome: Arrived }) {
  const { subject, issuer, email, emailVerified, name, acr, amr, authTime, level } = outcome;
  const said = [...(acr === null ? [] : [acr]), ...amr];
  return (
    <Terms>
      <Term name="Leads to">
        <LeadsTo outcome={outcome} />
      </Term>
      <Term name="Email">
        {email === null ? "None" : <bdi>{visibleText(email)}</bdi>}
        {email !== null && (emailVerified ? " (verified)" : " (not verified)")}
      </Term>
      <Term name="Name">{name === null ? "None" : <bdi>{visibleText(name)}</bdi>}</Term>
      <Term name="Subject">
        <code className="value">{visibleText(subject)}</code>
      </Term>
      <Term name="Issuer">
        <code className="value">{visibleText(issuer)}</code>
      </Term>
      <Term name="Level">
        {level === null ? "As a password" : <code className="value">{level}</code>}
        {said.length > 0 && <> · the provider says {said.map(visibleText).join(", ")}</>}
      </Term>
      <Term name="Signed in there">
        {authTime === null ? "The provider does not say" : <Timestamp at={authTime} seconds />}
      </Term>
    </Terms>
  );
}

function LeadsTo({ outcome: { leadsTo } }: { outcome: Arrived }) {
  const account = leadsTo.account && (
    <Anchor component={Link} href={`/users/${leadsTo.account.id}`} size="sm">
      {leadsTo.account.email}
    </Anchor>
  );
  switch (leadsTo.kind) {
    case "sign_in":
      return leadsTo.account?.disabled ? <>{account}, which is disabled</> : <>{account}, which has it connected</>;
    case "link":
      return <>{account}, connected at once</>;
    case "prove":
      return <>{account}, connected after the user has signed in to it once</>;
    case "claim":
      return <>{account}, which nobody has proved yet: it is emptied and taken over</>;
    case "create":
      return <>A new account</>;
    case "refused":
      return <>No account</>;
  }
}

/** What the provider said, word for word. */
function Failure({ outcome: { detail, code, description } }: { outcome: Failed }) {
  return (
    <Terms>
      <Term name="What happened">{visibleText(detail)}</Term>
      {code !== null && (
        <Term name="Error code">
          <code className="value">{visibleText(code)}</code>
        </Term>
      )}
      {description !== null && <Term name="The provider says">{visibleText(description)}</Term>}
    </Terms>
  );
}
