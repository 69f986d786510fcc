import { type Config, DEVICE_CODE_GRANT, type Environment, mintId, ownApiEnvironments } from "@gatehouse/auth";
import { findApplicationByName, insertApplication } from "@gatehouse/console/applications/queries";
import {
  CLI_APPLICATION_NAME,
  CLI_CLIENT_ID,
  CLI_SCOPES,
  CONSOLE_APPLICATION_NAME,
  CONSOLE_CLIENT_ID,
} from "@gatehouse/console/clients/built-in-clients";
import {
  type ClientRow,
  type ClientSettingsRow,
  findClientRow,
  insertClient,
  updateClientRow,
} from "@gatehouse/console/clients/queries";
import { enforceSecrets } from "@gatehouse/console/clients/secrets";
import type { OperationDeps } from "@gatehouse/console/deps";
import { DomainError } from "@gatehouse/console/domain-error";
import { consoleClientSecret, consoleRedirectUri } from "./console-client.ts";
import type { Settings } from "./settings/settings.ts";

type ConsoleSettings = Pick<Settings, "adminUrl" | "secret" | "previousSecrets" | "consoleSession">;
type Part = Pick<OperationDeps, "db" | "store" | "now" | "random" | "config">;

const FIRST_PARTY = { firstParty: true, resourceServer: false, refreshRetrySeconds: 30, options: {} } as const;

/**
 * Registers the clients of the console and the command line, or changes them to what this version needs. Safe in
 * several processes at once.
 */
export async function ensureBuiltInClients(settings: ConsoleSettings, deps: Part): Promise<void> {
  await ensureConsoleClient(settings, deps);
  await ensureCliClient(deps);
}

/** A client that the server registers itself. */
type BuiltInClient = {
  id: string;
  application: { name: string; description: string };
  type: ClientRow["type"];
  settings: ClientSettingsRow;
};

async function ensureConsoleClient(settings: ConsoleSettings, deps: Part): Promise<void> {
  const { adminUrl, secret, previousSecrets, consoleSession } = settings;
  await ensureClient(
    {
      id: CONSOLE_CLIENT_ID,
      application: {
        name: CONSOLE_APPLICATION_NAME,
        description: "The admin console, a client of this server like any other.",
      },
      type: "web",
      settings: {
        ...FIRST_PARTY,
        options: {
          refreshIdleSeconds: consoleSession.idleSeconds,
          refreshAbsoluteSeconds: consoleSession.absoluteSeconds,
          defaultMaxAge: consoleSession.absoluteSeconds,
        },
        redirectUris: [consoleRedirectUri(adminUrl)],
        postLogoutRedirectUris: [`${adminUrl}/`],
        grantTypes: ["authorization_code", "refresh_token"],
        scopes: [
          "console:read",
          "console:write",
          "webhooks:read",
          "webhooks:reveal",
          "webhooks:replay",
          "webhooks:configure",
          "api:read",
          "offline_access",
        ],
      },
    },
    deps,
  );
  // OP-15: a console that was not restarted yet has the one of another secret.
  await enforceSecrets(CONSOLE_CLIENT_ID, [secret, ...previousSecrets].map(consoleClientSecret), deps);
}

function ensureCliClient(deps: Part): Promise<void> {
  return ensureClient(
    {
      id: CLI_CLIENT_ID,
      application: {
        name: CLI_APPLICATION_NAME,
        description: "gatehouse tail, which reads webhook deliveries from this server.",
      },
      type: "device",
      settings: {
        ...FIRST_PARTY,
        redirectUris: [],
        postLogoutRedirectUris: [],
        grantTypes: [DEVICE_CODE_GRANT, "refresh_token"],
        scopes: [...CLI_SCOPES],
      },
    },
    deps,
  );
}

async function ensureClient({ id, application, type, settings }: BuiltInClient, deps: Part): Promise<void> {
  const { db, now } = deps;
  const environment = builtInEnvironment(deps.config);
  const client = await findClientRow(db, id);
  if (!client) {
    const applicationId = await ensureApplication(application, deps);
    const stamp = { createdAt: now(), updatedAt: now() };
    await insertClient(db, { ...settings, id, applicationId, environment, type, ...stamp });
    return;
  }
  const wanted = { ...settings, environment, disabledAt: null };
  const differs = Object.entries(wanted).some(
    ([field, value]) => JSON.stringify(Reflect.get(client, field)) !== JSON.stringify(value),
  );
  if (differs) await updateClientRow(db, id, { ...wanted, updatedAt: now() });
}

/**
 * An environment whose tokens the built-in API accepts: preferably development on loopback, and production otherwise.
 */
function builtInEnvironment(config: Config): Environment {
  const accepted = ownApiEnvironments(config);
  const usual = config.issuer.startsWith("http:") ? "development" : "production";
  return accepted.find((environment) => environment === usual) ?? accepted[0] ?? usual;
}

async function ensureApplication(
  { name, description }: BuiltInClient["application"],
  { db, now, random }: Part,
): Promise<string> {
  await insertApplication(db, { id: mintId(random), name, description, createdAt: now() });
  const application = await findApplicationByName(db, name);
  if (!application)
    throw new DomainError(
      "conflict",
      `The application ${name} was deleted while it was being registered. Start again.`,
    );
  return application.id;
}
