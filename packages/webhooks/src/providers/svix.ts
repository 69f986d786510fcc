import { standardScheme } from "./standard-webhooks.ts";

/** Svix, and everyone who sends through it. Newer senders use the standard's header names. */
export const svix = standardScheme("Svix", ["svix", "webhook"]);
