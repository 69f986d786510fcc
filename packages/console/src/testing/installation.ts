import { createHash } from "node:crypto";
import { createUpstream } from "@gatehouse/accounts";
import { createSeal, OutboundError, type Random, type Role } from "@gatehouse/auth";
import { insertUser } from "@gatehouse/db/stores/accounts/users";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import type { TestEngine } from "@gatehouse/db/testing/engines";
import { createApplication } from "../applications/applications.ts";
import { registerClient } from "../clients/register.ts";
import type { ClientDraft } from "../clients/rules.ts";
import type { OperationDeps } from "../deps.ts";
import { createRequestPolicy } from "../request-policy.ts";
import { accountDeps } from "./account-deps.ts";
import { settingsForTests } from "./settings.ts";

export { signUpUnverified } from "./sign-up.ts";
export { accountDeps };

export const NOON = 1_800_000_000;
export const ISSUER = "https://gate.example";
const CONSOLE = "https://console.example";
export const ADMIN = {
  role: "admin",
  id: "admin",
  name: "admin",
  via: "cli",
  freshSince: null,
  address: null,
} as const;
const PEOPLE: readonly Role[] = ["admin", "developer", "viewer", "user"];

/** Bytes that look random and are the same in every run. */
function countedRandom(): Random {
  let count = 0;
  return (length) => {
    count += 1;
    return createHash("sha512").update(`random ${count}`).digest().subarray(0, length);
  };
}

const unreachable = () => Promise.reject(new OutboundError("unreachable", "no network"));

/** A fresh installation on one engine at noon, with a person of each role whose id is the role's name. */
export async function openInstallation({ open }: TestEngine) {
  const database = await open();
  const { db, reads } = database;
  const clock = { now: NOON };
  const random = countedRandom();
  const config = { issuer: ISSUER, resource: `${ISSUER}/api`, consoleCallback: `${CONSOLE}/try/callback` };
  const seal = createSeal("a secret for the tests, 32 bytes or more", random);
  const now = () => clock.now;
  const upstream = createUpstream({ outbound: { public: unreachable, private: unreachable }, seal, config, now });
  const account = accountDeps(database, { now, random });
  const deps: OperationDeps = {
    policy: createRequestPolicy({ db, now, config }),
    config,
    store: createAuthStore(db),
    now,
    random,
    seal,
    db,
    reads,
    upstream,
    ...account,
    ...settingsForTests(),
  };
  for (const role of PEOPLE)
    await insertUser(db, {
      id: role,
      email: `${role}@example.com`,
      name: role,
      role,
      passwordHash: "none",
      registeredBy: "operator",
      createdAt: NOON,
    });
  return { deps, database, clock, mail: account.mail, close: () => database.close() };
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** A sound web client for development, to be changed at will. */
export const webClient = (change: Partial<ClientDraft> = {}): ClientDraft => ({
  environment: "development",
  type: "web",
  redirectUris: ["http://localhost:4000/callback"],
  postLogoutRedirectUris: [],
  grantTypes: ["authorization_code", "refresh_token"],
  scopes: ["openid", "api:read"],
  firstParty: false,
  resourceServer: false,
  refreshRetrySeconds: 30,
  ...change,
});

/** The settings of {@link webClient} that may change after registration. */
export function webSettings(change: Partial<ClientDraft> = {}): Omit<ClientDraft, "environment" | "type"> {
  const { environment: _, type: __, ...settings } = webClient(change);
  return settings;
}

/** What {@link webClient} is started with. */
export function webStart() {
  const { type, redirectUris, grantTypes, scopes } = webClient();
  return { type, redirectUris, grantTypes, scopes };
}

/** An application with a web client for development. */
export async function seedApplication(deps: OperationDeps, name = "Shop") {
  const application = await createApplication({ name, description: "" }, ADMIN, deps);
  const { client, secret } = await registerClient({ ...webClient(), applicationId: application.id }, ADMIN, deps);
  return { applicationId: application.id, clientId: client.clientId, secret: secret ?? "" };
}
