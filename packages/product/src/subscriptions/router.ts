import { pagedInput, positionOf } from "@gatehouse/console/paging";
import { ABILITIES } from "@gatehouse/console/permissions";
import { router } from "@gatehouse/console/trpc";
import { toPage } from "@gatehouse/db/query/page";
import { z } from "zod";
import { requires } from "../requires.ts";
import { listSubscriptions } from "./queries.ts";

const page = pagedInput({ cursor: z.string().max(200).nullish(), limit: z.int().min(1).max(100).default(20) }).default({
  limit: 20,
});
/** Times in Unix seconds. */
const at = z.int();
const subscription = z.object({
  id: z.string(),
  endpoint: z.string(),
  environment: z.string(),
  customerId: z.string(),
  /** As Stripe names it: `active`, `past_due`, `canceled`, … */
  status: z.string(),
  /** The nickname or lookup key of the price, or its id. */
  plan: z.string(),
  periodEndAt: at.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  /** How many of its invoices were paid. */
  payments: z.int(),
  lastEvent: z.object({ type: z.string(), at }),
});

/** Stripe subscriptions, as the webhook handlers keep them. */
export const subscriptionsRouter = router({
  /**
   * The caller's own subscriptions (those whose `metadata.user_id` is the caller); for members of the team, all. The
   * one with the newest event first; `nextCursor` is null on the last page.
   *
   * Anybody who may change a development endpoint can send it events with any user's id, so a user is shown those of
   * production alone, or those of the environment that the access token is for.
   */
  list: requires({ scope: "subscriptions:read" })
    .input(page)
    .output(z.object({ items: z.array(subscription), nextCursor: z.string().nullable() }))
    .query(async ({ ctx: { deps, principal }, input: { cursor, limit } }) => {
      const userId = ABILITIES[principal.role].view ? undefined : principal.userId;
      const environment = principal.environment ?? (userId === undefined ? undefined : "production");
      const rows = await listSubscriptions(deps.db, { userId, environment, position: positionOf(cursor), limit });
      const items = rows.map(({ lastEventType, lastEventAt, ...row }) => ({
        ...row,
        lastEvent: { type: lastEventType, at: lastEventAt },
      }));
      return toPage({ rows: items }, limit, ({ lastEvent, id }) => ({ at: lastEvent.at, id }));
    }),
});
