import { type ProcessState, sharedState } from "../process-state.ts";
import type { ApiSettings } from "../settings.ts";

/** An API, and what its process knows of the server, of tokens and of proofs. */
export type Api = { settings: ApiSettings; state: ProcessState };

export function apiOf(settings: ApiSettings): Api {
  return { settings, state: sharedState(settings) };
}
