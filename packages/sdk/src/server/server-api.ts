import type { AuthorizationServer } from "oauth4webapi";
import { GatehouseError } from "../error.ts";

/** The lowest `gatehouse_api` that this SDK works with. Raise it only to what the minor version before this one serves. */
const REQUIRED_API = 1;

/**
 * Checks that the server is new enough for this SDK. PK-25.
 *
 * @throws GatehouseError `configuration`, which names both versions and the fix.
 */
export function requireServerApi(metadata: AuthorizationServer, issuer: string): void {
  const served = metadata["gatehouse_api"];
  const isVersion = Number.isSafeInteger(served) && Number(served) > 0;
  if (isVersion && Number(served) >= REQUIRED_API) return;

  const found = isVersion
    ? `serves version ${served}`
    : "names no version: it is older than the first, or it is not a Gatehouse server";
  throw new GatehouseError(
    "configuration",
    `This version of @gatehouse/sdk requires version ${REQUIRED_API} of Gatehouse's API (gatehouse_api), and ${issuer} ${found}. ` +
      "Update the server to the version of the SDK or newer, or install the version of @gatehouse/sdk that the server has.",
  );
}
