import type { Patience } from "./drain.mjs";

/**
 * Calls `stop` once: on SIGTERM, SIGINT or SIGHUP, when the process at the other end of the IPC channel ends, and, under `npm start`
 * and `npm run dev`, when npm ends without having passed a signal on.
 */
export function onStop(stop: () => void): void;

/**
 * Reads GATEHOUSE_DRAIN_SECONDS (5 by default; 0 while `url` is on loopback, where no load balancer has to notice) and
 * GATEHOUSE_STOP_SECONDS (25). Throws an error that names the variable when one is no number of seconds, or they contradict each other.
 */
export function readPatience(variables: Record<string, string | undefined>, url: string): Patience;

/** Whether a URL names this machine. */
export function isLoopback(url: string): boolean;
