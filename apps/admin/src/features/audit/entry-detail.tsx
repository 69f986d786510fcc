"use client";

import { describeBrowser } from "@gatehouse/ui/browser";
import { Anchor, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { CopyValue } from "@/components/copy-value.tsx";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { AuditEntry } from "@/trpc/types.ts";
import { changesOf, factsOf } from "./changes.ts";
import styles from "./diff.module.css";
import { Diff } from "./diff.tsx";
import { actionWords, fieldWords, objectHref, VIA_WORDS } from "./words.ts";

/** One row of the audit log: its facts, then what it changed. `place`: its own page, or the panel beside the list. */
export function EntryDetail({ entry, place }: { entry: AuditEntry; place: "page" | "peek" }) {
  const changed = changesOf(entry.detail).length > 0;
  return (
    <Stack gap="lg">
      {place === "peek" && (
        <Title order={2} size="h4">
          {actionWords(entry.action)}
        </Title>
      )}
      <div className={place === "page" ? styles["columns"] : undefined}>
        <Facts entry={entry} />
        <div>
          <Title order={place === "page" ? 2 : 3} size="h6" mt={place === "peek" ? "lg" : 0} mb={8}>
            Changes
          </Title>
          {changed ? (
            <Diff entry={entry} />
          ) : (
            <Text size="sm" c="dimmed">
              This row has no changed fields.
            </Text>
          )}
        </div>
      </div>
    </Stack>
  );
}

function Facts({ entry }: { entry: AuditEntry }) {
  const {
    number,
    actorId,
    actorName,
    role,
    via,
    action,
    object,
    objectName,
    environment,
    address,
    userAgent,
    requestId,
  } = entry;
  const href = objectHref(entry);
  const name = visibleText(objectName ?? object);
  return (
    <Terms>
      <Term name="Number">{number ?? "Not sealed yet"}</Term>
      <Term name="Time">
        <Timestamp at={entry.at} seconds />
      </Term>
      <Term name="Who">
        {actorId === "cli" || actorId === "server" ? (
          <bdi>{actorName}</bdi>
        ) : (
          <ActorLink id={actorId} name={actorName} />
        )}{" "}
        ({role})
      </Term>
      <Term name="Via">{VIA_WORDS[via]}</Term>
      <Term name="Action">
        <code>{action}</code>
      </Term>
      <Term name="Object">
        {href === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <Anchor component={Link} href={href} size="sm">
            <bdi>{name}</bdi>
          </Anchor>
        )}
        {objectName !== null && objectName !== object && <CopyValue value={object} what="object id" cut />}
      </Term>
      {environment !== null && <Term name="Environment">{ENVIRONMENTS[environment].label}</Term>}
      {factsOf(entry.detail).map(([field, value]) => (
        <Term key={field} name={fieldWords(field)}>
          <bdi>{visibleText(value)}</bdi>
        </Term>
      ))}
      {address !== null && <Term name="Address">{address}</Term>}
      {userAgent !== null && (
        <Term name="Browser">
          <span title={visibleText(userAgent)}>{describeBrowser(userAgent)}</span>
        </Term>
      )}
      {requestId !== null && (
        <Term name="Request">
          <CopyValue value={requestId} what="request id" cut />
        </Term>
      )}
    </Terms>
  );
}

const ActorLink = ({ id, name }: { id: string; name: string }) => (
  <Anchor component={Link} href={`/users/${encodeURIComponent(id)}`} size="sm">
    <bdi>{visibleText(name)}</bdi>
  </Anchor>
);
