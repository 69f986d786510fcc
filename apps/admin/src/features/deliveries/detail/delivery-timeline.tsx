"use client";

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { formatDuration } from "../format.ts";
import { REASONS } from "../reasons.ts";
import { AckBudget } from "./ack-budget.tsx";
import { attemptsQuery, handlerName, OUTCOME_WORDS, TRIGGERS } from "./attempts.ts";
import { ExactTime } from "./exact-time.tsx";

/** Attempts in the timeline; the tab lists all of them. */
const MAX_STEPS = 6;

/** What happened, from receiving the request to the latest attempt of a handler. */
export function DeliveryTimeline({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, receivedAtMs, ackMs, status, source, providerName, method } = delivery;
  const rejected = outcome === "rejected";
  return (
    <ol className="timeline" aria-label="Timeline">
      <Step title={source === "reconcile" ? "Recovered" : "Received"}>
        <ExactTime ms={receivedAtMs} /> · {source === "reconcile" ? `from ${providerName}’s API` : method}
      </Step>
      <Step title={rejected ? "Rejected" : "Verified"} state={rejected ? "bad" : "good"}>
        {rejected ? REASONS[reason].title : <SignedWith delivery={delivery} />}
      </Step>
      <Step title={rejected ? "Logged" : outcome === "duplicate" ? "Recognized as a duplicate" : "Stored"}>
        <Storing delivery={delivery} />
      </Step>
      {source !== "reconcile" && (
        <Step title={`Answered ${status}`}>
          <ExactTime ms={receivedAtMs + ackMs} /> · <AckBudget delivery={delivery} />
        </Step>
      )}
      {!rejected && <HandlerSteps id={delivery.id} />}
    </ol>
  );
}

function SignedWith({ delivery: { signature, source } }: { delivery: Delivery }) {
  const secret = signature.secrets.find(({ result }) => result === "matched");
  if (secret) return `With ${secret.name === null ? "the secret" : `“${secret.name}”`} …${secret.hint}`;
  return source === "reconcile" ? "Asked for with the endpoint’s API key" : "With a secret that has been deleted since";
}

function Storing({ delivery: { id, outcome, event } }: { delivery: Delivery }) {
  if (outcome === "rejected") return "In this log only; no handler runs";
  if (event && event.firstDeliveryId !== id)
    return (
      <>
        <Anchor component={Link} href={`/deliveries/${event.firstDeliveryId}`} size="xs" underline="always">
          The first delivery
        </Anchor>{" "}
        came <Timestamp at={event.firstReceivedAt} seconds brief />
      </>
    );
  return "On disk before the response was sent";
}

/** The latest attempts, oldest first, and what is planned. */
function HandlerSteps({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(attemptsQuery(trpc, id));
  if (data === undefined) return null;
  const { attempts, handlers } = data;
  const nameOf = (name: string) =>
    handlerName(name, handlers.find(({ handler }) => handler === name)?.kind ?? "handler");
  const latest = attempts.slice(0, MAX_STEPS).reverse();
  const planned = handlers.filter(({ state }) => state === "waiting" || state === "retrying" || state === "running");
  return (
    <>
      {attempts.length > latest.length && <Step title={`${attempts.length - latest.length} earlier attempts`} />}
      {latest.map(({ id: attempt, handler, outcome, startedAt, ms, trigger }) => (
        <Step
          key={attempt}
          title={`${nameOf(handler)}: ${OUTCOME_WORDS[outcome].toLowerCase()}`}
          state={outcome === "ok" ? "good" : "bad"}
        >
          <Timestamp at={startedAt} seconds brief /> · {formatDuration(ms)}
          {trigger !== "initial" && ` · ${TRIGGERS[trigger].toLowerCase()}`}
        </Step>
      ))}
      {planned.map(({ handler, event, state, nextAt }) => (
        <Step
          key={`${event} ${handler}`}
          title={`${nameOf(handler)}: ${state === "running" ? "running" : "waiting"}`}
          state="waiting"
        >
          {nextAt !== null && (
            <>
              next try <Timestamp at={nextAt} seconds brief />
            </>
          )}
        </Step>
      ))}
    </>
  );
}

type StepProps = { title: ReactNode; state?: "good" | "bad" | "waiting"; children?: ReactNode };

/** One step of the timeline. */
function Step({ title, state, children }: StepProps) {
  return (
    <li data-state={state}>
      <span className="timeline-title">{title}</span>
      <span className="timeline-text">{children}</span>
    </li>
  );
}
