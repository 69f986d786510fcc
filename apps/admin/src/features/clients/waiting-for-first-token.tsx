"use client";

import { Alert, Anchor, Loader, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useState } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";

const POLL_MS = 2_000;
const GIVE_UP_MS = 10 * 60_000;

/**
 * Waits for the first token of a client: asks every two seconds while the page is visible, for ten minutes at most, and
 * shows the token's time or why the client was refused. Shows nothing for a client that had a token before. CO-16.
 */
export function WaitingForFirstToken({ clientId }: { clientId: string }) {
  const trpc = useTRPC();
  const waiting = useWaiting();
  const [waited, setWaited] = useState(false);
  const { data } = useQuery({
    ...trpc.clients.firstUse.queryOptions({ clientId }),
    refetchInterval: ({ state }) => (waiting && (state.data?.tokenAt ?? null) === null ? POLL_MS : false),
  });
  const tokenAt = data?.tokenAt ?? null;
  useEffect(() => {
    if (data !== undefined && tokenAt === null) setWaited(true);
  }, [data, tokenAt]);

  if (data === undefined || (tokenAt !== null && !waited)) return null;
  return (
    <div aria-live="polite" data-testid="first-token">
      {tokenAt !== null ? (
        <Alert variant="light" color="green" icon={<IconCircleCheck aria-hidden="true" />} title="First token received">
          <Text size="sm">
            This client works: it got a token <Timestamp at={tokenAt} />.
          </Text>
        </Alert>
      ) : data.refusal ? (
        <Refused refusal={data.refusal} />
      ) : (
        <Alert
          variant="light"
          color="gray"
          icon={waiting && <Loader size={16} aria-hidden="true" />}
          title="Waiting for the first token"
        >
          <Text size="sm">
            {waiting
              ? "Start your app and sign in. This page shows the token, or why the request was refused."
              : "No token came within ten minutes. Reload the page to wait again."}
          </Text>
        </Alert>
      )}
    </div>
  );
}

type Refusal = { errorId: string; at: number; endpoint: string; sentence: string; howToFix: string };

function Refused({ refusal: { errorId, at, endpoint, sentence, howToFix } }: { refusal: Refusal }) {
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`Refused at ${endpoint}: ${sentence}`}
    >
      <Text size="sm">
        {howToFix} <Timestamp at={at} />{" "}
        <Anchor
          component={Link}
          href={`/failures/${encodeURIComponent(errorId)}`}
          prefetch={false}
          size="sm"
          underline="always"
        >
          Open failure {errorId}
        </Anchor>
      </Text>
    </Alert>
  );
}

function useWaiting(): boolean {
  const [waiting, setWaiting] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), GIVE_UP_MS);
    return () => clearTimeout(timer);
  }, []);
  return waiting;
}
