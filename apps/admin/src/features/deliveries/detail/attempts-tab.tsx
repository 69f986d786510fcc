"use client";

import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { visibleText } from "@/components/code/visible-text.ts";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery, DeliveryAttempts } from "@/trpc/types.ts";
import { formatDuration } from "../format.ts";
import { attemptsQuery, FORWARDING_STATES, HANDLER_STATES, OUTCOME_WORDS, TRIGGERS } from "./attempts.ts";
import { Note } from "./payload-tab.tsx";

type Attempt = DeliveryAttempts["attempts"][number];

/** The state of each handler and of forwarding, and the attempts, with errors for those who may see payloads. */
export function AttemptsTab({ delivery }: { delivery: Delivery }) {
  const trpc = useTRPC();
  const attempts = useQuery(attemptsQuery(trpc, delivery.id));
  if (attempts.isPending) return <RowsSkeleton rows={2} height={64} />;
  if (attempts.data === undefined) return <LoadError error={attempts.error} retry={attempts.refetch} />;
  const { handlers, state, more } = attempts.data;

  if (state === null) return <Note>This delivery was rejected, so no handler ran.</Note>;
  if (handlers.length === 0)
    return (
      <Note>
        No handler wanted this event type when it arrived, and its endpoint did not forward it. Add a handler to{" "}
        <code>packages/product/src/handlers.ts</code>, or set up forwarding, then run this event again.
      </Note>
    );
  return (
    <>
      {handlers.map((handler) => (
        <section key={`${handler.event} ${handler.handler}`} className="handler">
          <Title order={3} size="0.875rem">
            {handler.kind === "forwarding" ? "Forwarding" : <code>{handler.handler}</code>}{" "}
            <HandlerState handler={handler} />
          </Title>
          <ol className="attempts">
            {attempts.data.attempts
              .filter((attempt) => attempt.handler === handler.handler && attempt.event === handler.event)
              .map((attempt) => (
                <AttemptRow key={attempt.id} attempt={attempt} />
              ))}
          </ol>
        </section>
      ))}
      {more && <Note>Older attempts are not shown.</Note>}
    </>
  );
}

function HandlerState({ handler: { kind, state, nextAt } }: { handler: DeliveryAttempts["handlers"][number] }) {
  return (
    <Text span size="xs" className="handler-state" data-state={state}>
      {(kind === "forwarding" ? FORWARDING_STATES : HANDLER_STATES)[state]}
      {nextAt !== null && (
        <>
          {" "}
          <Timestamp at={nextAt} seconds brief />
        </>
      )}
    </Text>
  );
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { startedAt, trigger, ms, outcome, status, error, stack, actor } = attempt;
  return (
    <li>
      <div className="attempt-line">
        <span className="attempt-outcome" data-outcome={outcome}>
          {OUTCOME_WORDS[outcome]}
          {status !== null && ` (${status})`}
        </span>
        <Timestamp at={startedAt} seconds brief />
        <span>{formatDuration(ms)}</span>
        <span>
          {TRIGGERS[trigger]}
          {actor !== null && ` by ${actor}`}
        </span>
      </div>
      {error !== null && <p className="attempt-error">{visibleText(error)}</p>}
      {stack !== null && (
        <details className="attempt-stack">
          <summary>Stack</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboard users must be able to focus it */}
          <pre tabIndex={0}>{visibleText(stack)}</pre>
        </details>
      )}
    </li>
  );
}
