import { secretPurpose } from "@gatehouse/accounts";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SentCredential } from "../secrets/destinations.ts";
import { updateSignInProvider } from "../sign-in-providers/providers.ts";
import { ADMIN, type Installation, openInstallation } from "../testing/installation.ts";
import { getWebhookEndpoint, updateWebhookEndpoint } from "../webhook-endpoints/endpoints.ts";
import { setForwarding } from "../webhook-endpoints/forwarding/forwarding.ts";
import { listWebhookSecrets } from "../webhook-secrets/queries.ts";
import { addWebhookSecret } from "../webhook-secrets/webhook-secrets.ts";
import { apply } from "./apply.ts";
import { readManifest } from "./file/read-manifest.ts";
import { planConfiguration } from "./plan.ts";

const ELSEWHERE = "https://elsewhere.example";
const KEY = "sk_test_0123456789abcdef";
const stripe = {
  provider: "stripe",
  endpoint: "stripe-eu",
  environment: "staging",
  secrets: ["whsec_test_0123456789"],
};
const HOME = "https://app.corp.example/webhooks";
const corp = { id: "corp", preset: "oidc", name: "Corp", issuer: "https://id.corp.example", client_id: "gate" };

/** How one credential is stored, sent elsewhere in each way, and read as the server reads it before it sends it. */
type Case = {
  stored: object;
  byFile: object;
  /** Absent for a credential that nobody can enter. */
  byFileWithTheCredential?: object;
  byConsole(it: Installation): Promise<unknown>;
  /** Where it would be sent; undefined if it would be sent nowhere. */
  sentTo(it: Installation): Promise<unknown>;
};

/** No file has the SMTP server: its test is `packages/installation/src/settings/smtp-server.test.ts`. */
const CASES: Record<Exclude<SentCredential, "SMTP server's password">, Case> = {
  "webhook API key": {
    stored: { webhooks: [{ ...stripe, api_key: KEY }] },
    byFile: { webhooks: [{ ...stripe, settings: { apiBaseUrl: ELSEWHERE } }] },
    byFileWithTheCredential: { webhooks: [{ ...stripe, settings: { apiBaseUrl: ELSEWHERE }, api_key: KEY }] },
    byConsole: async ({ deps }) =>
      updateWebhookEndpoint({ slug: stripe.endpoint, settings: { apiBaseUrl: ELSEWHERE } }, ADMIN, deps),
    async sentTo({ deps, database }) {
      const endpoint = await createWebhookStore(database.db, deps.seal, deps.now).findEndpoint(stripe.endpoint);
      return endpoint?.apiKeys.some(({ value }) => value === KEY)
        ? (endpoint.settings["apiBaseUrl"] ?? "the default")
        : undefined;
    },
  },
  // PK-56
  "webhook forwarding secret": {
    stored: { webhooks: [{ ...stripe, forward: { url: HOME } }] },
    byFile: { webhooks: [{ ...stripe, forward: { url: ELSEWHERE } }] },
    byConsole: ({ deps }) => setForwarding({ slug: stripe.endpoint, forward: { url: ELSEWHERE } }, ADMIN, deps),
    async sentTo({ deps, database }) {
      const endpoint = await createWebhookStore(database.db, deps.seal, deps.now).findEndpoint(stripe.endpoint);
      const [first] = await listWebhookSecrets(database.db, stripe.endpoint).then((all) =>
        all.filter(({ kind }) => kind === "forwarding"),
      );
      return endpoint?.forward?.secrets.some(({ id }) => id === first?.id) ? endpoint.forward.url : undefined;
    },
  },
  "sign-in provider's secret": {
    stored: { sign_in_providers: [{ ...corp, client_secret_env: "CORP_SECRET" }] },
    byFile: { sign_in_providers: [{ ...corp, issuer: ELSEWHERE }] },
    byFileWithTheCredential: { sign_in_providers: [{ ...corp, issuer: ELSEWHERE, client_secret_env: "CORP_SECRET" }] },
    byConsole: ({ deps }) => updateSignInProvider({ id: "corp", issuer: ELSEWHERE }, ADMIN, deps),
    async sentTo({ deps, database }) {
      const [row] = await listSignInProviders(database.db);
      const secret = row?.secret == null ? undefined : deps.seal.open(secretPurpose("corp"), row.secret);
      return secret === "a-secret-of-corp" ? row?.issuer : undefined;
    },
  },
};

describe.each(engines)("a stored credential and the address that it is bound to, on $name", (engine) => {
  let it: Installation;
  const variable = (name: string) => (name === "CORP_SECRET" ? "a-secret-of-corp" : "");
  const applier = { author: { ...ADMIN, file: "gatehouse.json" }, variable };
  const read = (file: object) => readManifest(JSON.stringify(file), {}, variable);
  const run = (file: object, deps = it.deps) => apply(read(file), applier, deps);

  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const WAYS = {
    "the console": (one: Case) => one.byConsole(it),
    "a file": (one: Case) => run(one.byFile),
  };
  const everyWay = Object.entries(CASES).flatMap(([credential, one]) =>
    Object.entries(WAYS).map(([way, change]) => [credential, way, one, change] as const),
  );

  test.each(everyWay)("%s: another address by %s does not send it there", async (_, __, one, change) => {
    await run(one.stored);
    const home = await one.sentTo(it);
    expect(home).toBeDefined();
    const refused = await change(one).then(
      () => false,
      () => true,
    );
    expect(await one.sentTo(it)).toBe(refused ? home : undefined);
  });

  const entered = Object.entries(CASES).filter(([, one]) => one.byFileWithTheCredential !== undefined);
  test.each(entered)("%s: a file that has it as well may send it elsewhere", async (_, one) => {
    await run(one.stored);
    await run(one.byFileWithTheCredential ?? {});
    expect(await one.sentTo(it)).toBe(ELSEWHERE);
  });

  test("a plan says that an API key ends, and refuses a provider's other issuer without its secret", async () => {
    await run({ ...CASES["webhook API key"].stored, ...CASES["sign-in provider's secret"].stored });
    const plan = await planConfiguration(read(CASES["webhook API key"].byFile), applier, it.deps);
    expect(plan.changes[0]?.fields).toMatchObject([{ field: "settings" }, { field: "secrets", after: "1 ended" }]);
    await expect(planConfiguration(read(CASES["sign-in provider's secret"].byFile), applier, it.deps)).rejects.toThrow(
      /sign_in_providers\.0\.client_secret_env: enter it again/,
    );
  });

  test("a file that names an API key and no address does not send it where somebody let the endpoint point since", async () => {
    const { stored, byConsole, sentTo } = CASES["webhook API key"];
    await run(stored);
    await byConsole(it);
    await expect(run(stored)).rejects.toThrow(
      /webhooks\.0\.api_key: would be sent to https:\/\/elsewhere\.example, which the file does not state/,
    );
    expect(await sentTo(it)).toBeUndefined();
    await run({ webhooks: [{ ...stripe, settings: {}, api_key: KEY }] });
    expect(await sentTo(it)).toBe("the default");

    await byConsole(it);
    const added = await addWebhookSecret({ endpoint: stripe.endpoint, kind: "api_key", secret: KEY }, ADMIN, it.deps);
    expect(added.warnings).toContainEqual(expect.stringContaining(`This key is sent to ${ELSEWHERE}`));
    await run(stored);
    expect(await sentTo(it)).toBe(ELSEWHERE);
  });

  test("an API key that is added while the address changes is for the address that was read, so it is refused", async () => {
    await run({ webhooks: [stripe] });
    const move = () =>
      updateWebhookEndpoint({ slug: stripe.endpoint, settings: { apiBaseUrl: ELSEWHERE } }, ADMIN, it.deps);
    const add = addWebhookSecret(
      { endpoint: stripe.endpoint, kind: "api_key", secret: KEY },
      ADMIN,
      oneChangeLater(it.deps, move),
    );
    await expect(add).rejects.toMatchObject({ kind: "conflict" });
    expect(await getWebhookEndpoint(stripe.endpoint, it.deps)).toMatchObject({ secrets: { apiKeys: 0 } });
  });

  test("a change that was decided on another address is refused, also without a version", async () => {
    await run({ ...CASES["webhook API key"].stored, ...CASES["sign-in provider's secret"].stored });
    const settings = { toleranceSeconds: 60 };
    const update = (deps = it.deps) => updateWebhookEndpoint({ slug: stripe.endpoint, settings }, ADMIN, deps);
    await expect(update(oneChangeLater(it.deps, () => CASES["webhook API key"].byConsole(it)))).rejects.toMatchObject({
      kind: "conflict",
    });
    const rename = (name: string, deps = it.deps) => updateSignInProvider({ id: "corp", name }, ADMIN, deps);
    await expect(
      rename(
        "A",
        oneChangeLater(it.deps, () => rename("B")),
      ),
    ).rejects.toMatchObject({ kind: "conflict" });
  });
});

/** Dependencies with which somebody else makes a change between what an operation reads and what it writes. */
function oneChangeLater(deps: Installation["deps"], change: () => Promise<unknown>): Installation["deps"] {
  const { db } = deps;
  const guarded: typeof db.guarded = async (...writes) => {
    await change();
    return db.guarded(...writes);
  };
  return { ...deps, db: { ...db, guarded } };
}
