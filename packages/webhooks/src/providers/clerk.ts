import { standardScheme } from "./standard-webhooks.ts";

/** Clerk sends through Svix. It is a separate provider so that it has its own secret and its own place in the log. */
export const clerk = standardScheme("Clerk", ["svix", "webhook"]);
