import { fixture } from "../harness/fixture.ts";
import { BROWSER_ENGINE, type Start, startGatehouse } from "../harness/gatehouse.ts";

/** One server and one console for all browser tests. The workers get their addresses through the environment. */
export default async function setup(_config: unknown, more: Pick<Start, "fill"> = {}): Promise<() => Promise<void>> {
  const gatehouse = await startGatehouse({
    engine: BROWSER_ENGINE,
    fixture: fixture(),
    admin: true,
    settings: { GATEHOUSE_REGISTRATION: "token" },
    ...more,
  });
  process.env["E2E_ISSUER"] = gatehouse.issuer;
  process.env["E2E_ADMIN_URL"] = gatehouse.adminUrl;
  process.env["E2E_ENVIRONMENT"] = JSON.stringify(gatehouse.env);
  return gatehouse.stop;
}
