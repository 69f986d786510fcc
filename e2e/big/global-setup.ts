import { BIG, fillBig } from "@gatehouse/db/testing/big";
import setup from "../browser/global-setup.ts";

/** The installation of the browser tests, with a million users, grants and deliveries in it. */
export default function setupBig(config: unknown): Promise<() => Promise<void>> {
  return setup(config, { fill: (database) => fillBig(database, { ...BIG, now: Math.floor(Date.now() / 1000) }) });
}
