import { standardScheme } from "./standard-webhooks.ts";

/** Svix and services that send through it. Newer senders use the header names of Standard Webhooks. */
export const svix = standardScheme("Svix", ["svix", "webhook"]);
