import type { OperationDeps } from "../deps.ts";
import { removeApplication, removeClient } from "../removed/remove.ts";
import { removeResource } from "../resources/resources.ts";
import { removeSignInProvider, setSignInProviderEnabled } from "../sign-in-providers/providers.ts";
import { removeWebhookEndpoint } from "../webhook-endpoints/endpoints.ts";
import type { Applier, ObjectKind } from "./change.ts";
import type { Unlisted } from "./plan.ts";

type Removal = (id: string, applier: Applier, deps: OperationDeps) => Promise<void>;

/** How each kind is removed; users never are. */
const REMOVALS: Record<Exclude<ObjectKind, "user">, Removal> = {
  client: (id, { author }, deps) => removeClient(id, author, deps),
  application: (id, { author }, deps) => removeApplication(id, author, deps),
  resource: (id, { author }, deps) => removeResource(id, author, deps),
  webhook_endpoint: (id, { author }, deps) => removeWebhookEndpoint(id, author, deps),
  async sign_in_provider(id, { author }, deps) {
    await setSignInProviderEnabled({ id, enabled: false }, author, deps);
    await removeSignInProvider(id, author, deps);
  },
};

/** Removes what a plan found in the installation and not in its file. CO-72. */
export async function prune(objects: readonly Unlisted[], applier: Applier, deps: OperationDeps): Promise<void> {
  for (const { kind, id } of objects) if (kind !== "user") await REMOVALS[kind](id, applier, deps);
}
