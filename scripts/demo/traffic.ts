import type { RefusalCause } from "../../packages/auth/src/index.ts";
import { openDatabase } from "../../packages/db/src/database.ts";
import { createAuthStore } from "../../packages/db/src/stores/auth/store.ts";
import { createStats } from "../../packages/db/src/stores/stats/store.ts";

const HOUR = 3_600;
const HOURS = 14 * 24;

/** How busy an hour of a working day is, from 0 to 1: quiet at night, and at its highest in the afternoon. */
const busyness = (at: number) => 0.15 + 0.85 * Math.max(0, Math.sin(((((at / HOUR) % 24) - 6) / 16) * Math.PI)) ** 1.5;

/** A number that looks random and is the same in every run. */
export const wave = (seed: number) => Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;

const CAUSES: readonly (readonly [RefusalCause, number])[] = [
  ["code_expired", 5],
  ["redirect_uri_unregistered", 9],
  ["secret_wrong", 4],
  ["scope_not_allowed", 2],
];

/**
 * Counts two weeks of sign-ins, tokens, refusals and webhooks of these clients, as a server that was busy would have. They
 * are in the charts alone: there are no tokens, failures or deliveries behind them.
 */
export async function countTraffic(databaseUrl: string, clientIds: readonly string[], endpoint: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  const store = createAuthStore(database.db);
  const now = Math.floor(Date.now() / 1000);
  const start = now - (now % HOUR) - (HOURS - 1) * HOUR;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const at = Math.min(start + hour * HOUR + 60, now);
    const stats = createStats(database.db, {
      now: () => at,
      onError(error) {
        throw error;
      },
    });
    const times = (most: number, act: () => void) => {
      for (let done = Math.round(most * busyness(at) * (0.8 + 0.4 * wave(hour + most))); done > 0; done -= 1) act();
    };
    for (const [place, clientId] of clientIds.entries()) {
      const client = await store.findClient(clientId);
      if (!client) throw new Error(`there is no client ${clientId}`);
      const share = 1 / (place + 1);
      times(60 * share, () => stats.usage.signInEnded("password", null, clientId));
      times(22 * share, () => stats.usage.signInEnded("passkey", null, clientId));
      times(7 * share, () => stats.usage.signInEnded("password", "wrong_password", clientId));
      times(80 * share, () => stats.usage.signedIn(client, client.redirectUris[0] ?? null));
      times(80 * share, () => stats.usage.tokenIssued(client, "authorization_code", "openid profile api:read"));
      times(140 * share, () => stats.usage.tokenIssued(client, "refresh_token", "openid profile api:read"));
      for (const [cause, most] of CAUSES) times(most * share, () => stats.usage.refused(cause, clientId));
    }
    times(50, () => stats.count({ environment: "production", metric: "webhook_result", key: `${endpoint}/accepted` }));
    times(6, () => stats.count({ environment: "production", metric: "webhook_result", key: `${endpoint}/duplicate` }));
    times(2, () => stats.count({ environment: "production", metric: "webhook_result", key: `${endpoint}/rejected` }));
    await stats.stop();
  }
  await database.close();
}
