import { defineHandlers } from "@gatehouse/work/handlers";
import { subscriptionHandlers } from "./subscriptions/handlers.ts";

/** What the product does when a webhook event arrives, by provider and event type. */
export const handlers = defineHandlers({
  stripe: { ...subscriptionHandlers },
});
