import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import type { Environment } from "@/trpc/types.ts";

/** The filters that a list starts with while its URL has none of these names. */
export type StartingEnvironment = { environment?: Environment };

/**
 * Where lists of one environment's rows start, and new endpoints: on the developer's own machine in development,
 * elsewhere with all environments.
 */
export const startingEnvironment = (issuer: string): StartingEnvironment =>
  isLoopbackUrl(issuer) ? { environment: "development" } : {};
