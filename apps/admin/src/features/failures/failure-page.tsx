"use client";

import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { CopyValue } from "@/components/copy-value.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { UriDiff } from "@/components/uri-diff.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Failure } from "@/trpc/types.ts";
import { ClientName } from "./client-name.tsx";
import { CopyMessage } from "./copy-message.tsx";
import styles from "./failures.module.css";
import { clientHref, FixButton } from "./fix-button.tsx";
import { GroupState } from "./group-state.tsx";
import { ACTORS } from "./words.ts";

const SECTION = [{ label: "Failures", href: "/failures" }];

/** One refused request: its cause as a sentence, sent against expected, who acts, and the fix. CO-47. */
export function FailurePage({ errorId }: { errorId: string }) {
  const failure = useQuery(useTRPC().refusals.one.queryOptions({ errorId }));
  if (failure.isPending) return <RowsSkeleton rows={2} height={160} />;
  if (failure.data === undefined) return <LoadError error={failure.error} retry={failure.refetch} />;
  return <Loaded failure={failure.data} />;
}

function Loaded({ failure }: { failure: Failure }) {
  const { errorId, sentence, client, at } = failure;
  const environment = client?.environment ?? undefined;
  return (
    <>
      <PageFrame
        title={visibleText(sentence).replace(/\.$/, "")}
        crumbs={SECTION}
        environment={environment}
        facts={
          <Group gap="md">
            <CopyValue value={errorId} what="error id" testId="error-id" />
            <Timestamp at={at} seconds />
            {failure.group && <GroupState group={failure.group} />}
          </Group>
        }
      />
      <div className={styles["columns"]}>
        <div className={styles["evidence"]}>
          <Evidence failure={failure} />
          <WhoActs failure={failure} />
        </div>
        <Facts failure={failure} />
      </div>
    </>
  );
}

function Evidence({ failure: { uri, facts } }: { failure: Failure }) {
  return (
    <>
      {uri && (
        <section aria-labelledby="sent-against-registered">
          <h2 id="sent-against-registered" className={styles["heading"]}>
            Sent against registered
          </h2>
          {uri.comparison.matched !== null && (
            <Alert variant="light" color="teal" icon={<IconCircleCheck aria-hidden="true" />} mb="sm">
              This URI is registered now. The same request would pass.
            </Alert>
          )}
          <UriDiff sent={uri.sent} comparison={uri.comparison} />
          {uri.comparison.differences.length > 1 && (
            <Text size="sm" c="dimmed" mt={6}>
              Also:{" "}
              {uri.comparison.differences
                .slice(1)
                .map(({ text }) => visibleText(text))
                .join("; ")}
              .
            </Text>
          )}
        </section>
      )}
      {facts.length > 0 && (
        <Terms>
          {facts.map(({ label, value }) => (
            <Term key={label} name={label}>
              <bdi>{visibleText(value)}</bdi>
            </Term>
          ))}
        </Terms>
      )}
    </>
  );
}

function WhoActs({ failure }: { failure: Failure }) {
  const { actor, howToFix, fix } = failure;
  return (
    <section aria-labelledby="what-to-do">
      <h2 id="what-to-do" className={styles["heading"]}>
        What to do
      </h2>
      <Text size="sm">{howToFix}</Text>
      <Text size="sm" c="dimmed" mt={2}>
        Who acts: {ACTORS[actor]}.
      </Text>
      <Group gap="sm" mt="sm">
        {fix && <FixButton failure={failure} fix={fix} />}
        <CopyMessage failure={failure} />
        <TryClient failure={failure} />
      </Group>
    </section>
  );
}

/** Leads to the client's tab Try, in its environment. CO-47. */
function TryClient({ failure: { client, canTry } }: { failure: Failure }) {
  const href = canTry ? clientHref(client, { tab: "try" }) : null;
  if (href === null) return null;
  return (
    <Button component={Link} href={href} size="xs" variant="default">
      Try the client
    </Button>
  );
}

function Facts({ failure }: { failure: Failure }) {
  const { client, endpoint, error, cause, address, message, group } = failure;
  const href = clientHref(client);
  return (
    <aside className={styles["aside"]} aria-label="Request">
      <Terms names="above">
        <Term name="Client">
          {href === null ? (
            <ClientName client={client} />
          ) : (
            <Anchor component={Link} href={href} underline="hover" c="inherit">
              <ClientName client={client} />
            </Anchor>
          )}
        </Term>
        <Term name="Endpoint">
          <code>{visibleText(endpoint)}</code>
        </Term>
        <Term name="Cause">
          <code>{cause}</code>
        </Term>
        <Term name="Response">
          <code>{error}</code>
        </Term>
        <Term name="Check">{visibleText(message)}</Term>
        <Term name="Address">
          <code>{address ?? "unknown"}</code>
        </Term>
        {group && (
          <Term name="Others like it">
            <Anchor component={Link} href={`/failures/group/${group.key}`} size="sm" underline="always">
              {group.count === 1 ? "The only one so far" : `${group.count.toLocaleString("en")} since`}
            </Anchor>{" "}
            {group.count > 1 && <Timestamp at={group.firstAt} />}
          </Term>
        )}
      </Terms>
    </aside>
  );
}
