import type { Patience } from "./drain.mjs";

/**
 * Calls `stop` once: on SIGTERM, SIGINT or SIGHUP, when the parent process closes the IPC channel, and, under
 * `npm start` and `npm run dev`, when npm exits without forwarding a signal. `reloads`: SIGHUP is left to `onReload`.
 */
export function onStop(stop: () => void, options?: { reloads?: boolean }): void;

/**
 * Reads GATEHOUSE_DRAIN_SECONDS (5 by default; 0 for a server on loopback, where there is no load balancer) and
 * GATEHOUSE_STOP_SECONDS (25). Throws an error that names the variable when one is not a number of seconds or the two
 * contradict each other.
 */
export function readPatience(variables: Record<string, string | undefined>, server: { onLoopback: boolean }): Patience;
