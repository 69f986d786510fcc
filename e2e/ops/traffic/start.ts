import type { SigningKey } from "../fleet/fixture.ts";
import { type Asking, startAsking } from "./ask.ts";
import { type Client, openClient } from "./client.ts";
import { type Ledger, newLedger } from "./ledger.ts";
import { type People, startPeople } from "./people.ts";
import { type Stories, storiesOf } from "./stories.ts";

/** Everybody who uses an installation, and the ledger of what it acknowledged to them. */
export type Traffic = { client: Client; ledger: Ledger; asking: Asking; people: People; stories: Stories };

/** Signs every user in. `ports`: of the servers, for browsers. `key`: of the client that signs assertions. */
export async function startTraffic(
  { issuer, ports, key }: { issuer: string; ports: readonly number[]; key: SigningKey },
  options?: Parameters<typeof openClient>[1],
): Promise<Traffic> {
  const client = openClient(issuer, options);
  const ledger = newLedger();
  const asking = startAsking(client, ledger);
  const people = await startPeople(issuer, ports, ledger);
  return { client, ledger, asking, people, stories: storiesOf(asking, { issuer, key, approve: people.approve }) };
}
