import type { Environment } from "@gatehouse/auth";
import { ENVIRONMENTS } from "@gatehouse/webhooks";

/** One queue for each environment: a product that does not answer in development delays nothing of production. */
export const forwardQueueOf = (environment: Environment): string => `forward:${environment}`;

export const FORWARD_QUEUES = ENVIRONMENTS.map(forwardQueueOf);
