"use client";

import type { RouterOutputs } from "@gatehouse/product/types";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTRPC } from "../api-provider.tsx";
import styles from "./subscriptions.module.css";

type Page = RouterOutputs["subscriptions"]["list"];
type Subscription = Page["items"][number];

/** The subscriptions that the user may see; `first` is the page that the server rendered. */
export function Subscriptions({ first, ofTeam }: { first: Page; ofTeam: boolean }) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.subscriptions.list.infiniteQueryOptions(
      {},
      {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        initialCursor: null,
        initialData: { pages: [first], pageParams: [null] },
      },
    ),
  );
  const subscriptions = list.data.pages.flatMap(({ items }) => items);
  return (
    <>
      {list.error ? (
        <p className="note danger" role="alert">
          {list.error.message}
        </p>
      ) : null}
      {subscriptions.length === 0 ? <Empty ofTeam={ofTeam} /> : null}
      <ul className="rows" aria-label="Subscriptions" hidden={subscriptions.length === 0}>
        {subscriptions.map((subscription) => (
          <Row key={`${subscription.endpoint} ${subscription.id}`} subscription={subscription} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <button
          type="button"
          className="button quiet"
          disabled={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Show more
        </button>
      ) : null}
    </>
  );
}

function Empty({ ofTeam }: { ofTeam: boolean }) {
  if (!ofTeam)
    return <p className="note muted">You have no subscription yet. It appears here a moment after you check out.</p>;
  return (
    <>
      <p className="note muted">
        No subscriptions yet. They appear when Stripe sends a subscription event to <code>/api/webhooks/stripe</code>.
        You can send a sample now, signed with the endpoint’s secret:
      </p>
      <pre className={styles["command"]}>
        npm run gatehouse -- trigger stripe customer.subscription.updated --env STRIPE_WEBHOOK_SECRET
      </pre>
    </>
  );
}

const GOOD = new Set(["active", "trialing"]);
const BAD = new Set(["past_due", "unpaid", "incomplete"]);

function Row({ subscription }: { subscription: Subscription }) {
  const { id, plan, status, environment, payments, lastEvent } = subscription;
  const tone = GOOD.has(status) ? "good" : BAD.has(status) ? "bad" : undefined;
  return (
    <li>
      <div className={styles["row"]}>
        <div className={styles["top"]}>
          <strong>{plan}</strong>
          <span className={[styles["status"], tone && styles[tone]].filter(Boolean).join(" ")}>{words(status)}</span>
        </div>
        <dl className="facts">
          <dt>Period</dt>
          <dd>
            <Period subscription={subscription} />
          </dd>
          <dt>Payments</dt>
          <dd>{payments}</dd>
          {environment === "production" ? null : (
            <>
              <dt>Environment</dt>
              <dd>{environment}</dd>
            </>
          )}
          <dt>Last event</dt>
          <dd>
            <code>{lastEvent.type}</code>, <Time at={lastEvent.at} />
          </dd>
          <dt>Id</dt>
          <dd className={styles["id"]}>{id}</dd>
        </dl>
      </div>
    </li>
  );
}

function Period({ subscription: { status, periodEndAt, cancelAtPeriodEnd } }: { subscription: Subscription }) {
  if (status === "canceled") return "Ended";
  if (periodEndAt === null) return "Not known";
  return (
    <>
      {cancelAtPeriodEnd ? "Ends" : "Renews"} <Time at={periodEndAt} />
    </>
  );
}

/** `past_due` → `Past due`. */
function words(status: string): string {
  const text = status.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** In UTC, so that server and browser render the same words. */
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

function Time({ at }: { at: number }) {
  const date = new Date(at * 1000);
  return <time dateTime={date.toISOString()}>{DAY.format(date)}</time>;
}
