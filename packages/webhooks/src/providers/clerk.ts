import { standardScheme } from "./standard-webhooks.ts";

/** Clerk sends through Svix; a provider of its own so that it has its own secret and its own line in the log. */
export const clerk = standardScheme("Clerk", ["svix", "webhook"]);
