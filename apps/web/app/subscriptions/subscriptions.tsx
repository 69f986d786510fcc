"use client";

import type { RouterOutputs } from "@gatehouse/product/types";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Day } from "../_components/day.tsx";
import { EmptyState } from "../_components/empty-state.tsx";
import { More } from "../_components/more.tsx";
import { Problem } from "../_components/problem.tsx";
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
    <section className="card" aria-label="Your subscriptions">
      <Problem error={list.error} />
      {subscriptions.length === 0 ? (
        <Empty ofTeam={ofTeam} />
      ) : (
        <ul className="rows" aria-label="Subscriptions">
          {subscriptions.map((subscription) => (
            <Row key={`${subscription.endpoint} ${subscription.id}`} subscription={subscription} />
          ))}
        </ul>
      )}
      <More list={list} />
    </section>
  );
}

function Empty({ ofTeam }: { ofTeam: boolean }) {
  if (!ofTeam)
    return <EmptyState title="You have no subscription yet">It appears here a moment after you check out.</EmptyState>;
  return (
    <EmptyState title="No subscriptions yet">
      <p>
        They appear when Stripe sends a subscription event to <code>/api/webhooks/stripe</code>. You can send a sample
        now, signed with the endpoint’s secret:
      </p>
      <pre className={styles["command"]}>
        npm run gatehouse -- trigger stripe customer.subscription.updated --env STRIPE_WEBHOOK_SECRET
      </pre>
    </EmptyState>
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
            <code>{lastEvent.type}</code>, <Day at={lastEvent.at} />
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
      {cancelAtPeriodEnd ? "Ends" : "Renews"} <Day at={periodEndAt} />
    </>
  );
}

/** `past_due` → `Past due`. */
function words(status: string): string {
  const text = status.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
