"use client";

import { Anchor, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { LoadError } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery, DeliveryDiagnosis } from "@/trpc/types.ts";

/** Findings that are fixed at this endpoint's secrets. */
const ABOUT_SECRETS: ReadonlySet<string> = new Set([
  "other_environment_secret",
  "other_endpoint_secret",
  "ended_secret",
  "trailing_whitespace",
  "quoted_secret",
  "raw_secret",
  "decoded_secret",
  "sender_test_secret",
  "url_variant",
  "milliseconds",
]);

const LIMITS = {
  body_not_whole: "Only the beginning of this body was stored, so no other secret could be tried.",
  too_many: "There are more secrets than one search tries.",
} as const;

/** Why a delivery was rejected, computed, with what to do about it; and whether the event is lost. */
export function WhyItFailed({ delivery }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const diagnosis = useQuery(trpc.deliveries.diagnose.queryOptions({ id: delivery.id }));
  return (
    <section className="why" aria-label="Why it failed">
      <Title order={3} size="0.875rem" mb="xs">
        Why it failed
      </Title>
      {diagnosis.isPending ? (
        <Skeleton height={64} radius="md" role="status" aria-label="Loading" />
      ) : diagnosis.data === undefined ? (
        <LoadError error={diagnosis.error} retry={diagnosis.refetch} />
      ) : (
        <Diagnosis diagnosis={diagnosis.data} delivery={delivery} />
      )}
    </section>
  );
}

/** What was found, or the general explanation of the reason. */
export function WhyInShort({ id, otherwise }: { id: string; otherwise: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.deliveries.diagnose.queryOptions({ id }));
  if (data === undefined || data.findings.length === 0) return otherwise;
  return data.findings.map(({ sentence }) => visibleText(sentence)).join(" ");
}

function Diagnosis({ diagnosis, delivery }: { diagnosis: DeliveryDiagnosis; delivery: Delivery }) {
  const { findings, limit, accepted, retries } = diagnosis;
  const { endpoint, reason } = delivery;
  return (
    <>
      {findings.map(({ kind, sentence, fix }) => (
        <div key={kind} className="finding">
          <Text size="sm" fw={550}>
            {visibleText(sentence)}
          </Text>
          <Text size="sm" mt={2}>
            {visibleText(fix)}{" "}
            {ABOUT_SECRETS.has(kind) && (
              <Anchor
                component={Link}
                href={`/webhooks/${encodeURIComponent(endpoint)}`}
                prefetch={false}
                size="sm"
                underline="always"
              >
                Open the endpoint {endpoint}
              </Anchor>
            )}
          </Text>
        </div>
      ))}
      {findings.length === 0 && reason === "signature_mismatch" && (
        <Text size="sm">
          {limit === null
            ? "No configured secret and no common change of the body explains the signature. The sender uses a secret that this server doesn’t know, or the request is forged."
            : LIMITS[limit]}
        </Text>
      )}
      {findings.length > 0 && limit !== null && (
        <Text size="sm" c="dimmed">
          {LIMITS[limit]}
        </Text>
      )}
      {accepted !== null && (
        <Text size="sm" mt="xs">
          Nothing is lost:{" "}
          <Anchor component={Link} href={`/deliveries/${accepted.deliveryId}`} size="sm" underline="always">
            another delivery of this event
          </Anchor>{" "}
          was accepted at <Timestamp at={accepted.receivedAt} seconds brief />.
        </Text>
      )}
      {retries.length > 0 && (
        <Text size="sm" mt="xs">
          {retries.join(" ")}
        </Text>
      )}
    </>
  );
}
