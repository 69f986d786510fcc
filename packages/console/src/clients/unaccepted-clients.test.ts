import type { Environment } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApplication } from "../applications/applications.ts";
import { ADMIN, type Installation, ISSUER, openInstallation, webClient } from "../testing/callers.ts";
import { registerClient, setClientEnabled } from "./register.ts";
import { findUnacceptedClients } from "./unaccepted-clients.ts";

const OURS = `${ISSUER}/api`;
const STOCK = {
  id: "https://stock.example",
  name: "Stock",
  scopes: [{ name: "stock:read", description: "see what is in stock" }],
};

describe.each(engines)("D22 clients that can never be accepted, on $name", (engine) => {
  let it: Installation;
  let applicationId: string;

  beforeAll(async () => {
    it = await openInstallation(engine);
    applicationId = (await createApplication({ name: "Shop", description: "" }, ADMIN, it.deps)).id;
    await it.as("admin").resources.create({ ...STOCK, environments: ["staging"] });
    const register = (environment: Environment, scopes: string[], options = {}) =>
      registerClient(
        {
          ...webClient({ environment, scopes, options, redirectUris: ["https://shop.example/cb"] }),
          applicationId,
          clientId: environment,
        },
        ADMIN,
        it.deps,
      );
    await register("development", ["openid", "email"]);
    await register("staging", ["api:read", "stock:read"], { resources: [STOCK.id] });
    await register("production", ["api:read"]);
  });
  afterAll(() => it.close());

  const found = async (apiEnvironments?: Environment[], most = 20) => {
    const config = { ...it.deps.config, ...(apiEnvironments && { apiEnvironments }) };
    return (await findUnacceptedClients({ ...it.deps, config }, most)).map(
      ({ clientId, api }) => `${clientId} at ${api}`,
    );
  };

  test("clients with a scope of an API that rejects their environment", async () => {
    expect(await found()).toEqual([`staging at ${OURS}`]);
    expect(await found(["development"])).toEqual([`production at ${OURS}`, `staging at ${OURS}`]);
    expect(await found(["development"], 1)).toHaveLength(1);
    expect(await found(["staging", "production"])).toEqual([]);
  });

  test("registered APIs count too, and disabled clients do not", async () => {
    const { resources } = it.as("admin");
    await resources.update({ ...STOCK, environments: ["production"] });
    expect(await found(["staging", "production"])).toEqual([`staging at ${STOCK.id}`]);
    await setClientEnabled({ clientId: "staging", enabled: false }, ADMIN, it.deps);
    expect(await found(["staging", "production"])).toEqual([]);
    await setClientEnabled({ clientId: "staging", enabled: true }, ADMIN, it.deps);
    await resources.update({ ...STOCK, environments: ["staging"] });
  });
});
