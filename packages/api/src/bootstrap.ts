import { type Environment, mintId } from "@gatehouse/auth";
import {
  type ClientSettingsRow,
  findApplicationByName,
  findClientRow,
  hasAdmin,
  insertApplication,
  insertClient,
  listClientSecrets,
  retireClientSecret,
  updateClientRow,
} from "@gatehouse/db";
import { CONSOLE_APPLICATION_NAME, CONSOLE_CLIENT_ID, consoleClientSecret, consoleRedirectUri } from "./console-client.ts";
import type { ApiDeps } from "./deps.ts";
import { DomainError } from "./domain-error.ts";
import { ensureSecret } from "./operations/client-secrets.ts";
import { isLiveSecret } from "./operations/client-view.ts";
import { createUser } from "./operations/users.ts";
import type { Settings } from "./settings.ts";

type Part = Pick<ApiDeps, "handle" | "now" | "random" | "config">;

/** The first admin's way in; `password` is clear here, once, and nowhere else. */
export type FirstAdmin = { email: string; password: string; generated: boolean };

/**
 * Makes an installation usable: the console's client, and an admin where there is none.
 * May run at every start and in several processes at once; undefined when there was an admin already.
 */
export async function bootstrap(
  settings: Pick<Settings, "adminUrl" | "secret" | "firstAdmin">,
  deps: Part,
): Promise<{ firstAdmin: FirstAdmin | undefined }> {
  await ensureConsoleClient(settings, deps);
  return { firstAdmin: await ensureAdmin(settings.firstAdmin, deps) };
}

async function ensureConsoleClient({ adminUrl, secret }: Pick<Settings, "adminUrl" | "secret">, deps: Part): Promise<void> {
  const { handle, now } = deps;
  const settings: ClientSettingsRow = {
    redirectUris: [consoleRedirectUri(adminUrl)],
    postLogoutRedirectUris: [`${adminUrl}/`],
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["console:read", "console:write", "api:read", "offline_access"],
    firstParty: true,
    resourceServer: false,
    refreshRetrySeconds: 30,
    options: {},
  };
  // Production accepts no plain http, so an installation on this machine is development.
  const environment: Environment = deps.config.issuer.startsWith("http:") ? "development" : "production";

  const client = await findClientRow(handle, CONSOLE_CLIENT_ID);
  if (!client) {
    const applicationId = await consoleApplication(deps);
    const stamp = { createdAt: now(), updatedAt: now() };
    await insertClient(handle, { ...settings, id: CONSOLE_CLIENT_ID, applicationId, environment, type: "web", ...stamp });
  } else {
    const wanted = { ...settings, environment, disabledAt: null };
    const differs = Object.entries(wanted).some(([field, value]) => JSON.stringify(Reflect.get(client, field)) !== JSON.stringify(value));
    if (differs) await updateClientRow(handle, CONSOLE_CLIENT_ID, { ...wanted, updatedAt: now() });
  }
  await replaceSecret(consoleClientSecret(secret), deps);
}

async function consoleApplication({ handle, now, random }: Part): Promise<string> {
  const description = "The admin console, a client of this server like any other.";
  await insertApplication(handle, { id: mintId(random), name: CONSOLE_APPLICATION_NAME, description, createdAt: now() });
  const application = await findApplicationByName(handle, CONSOLE_APPLICATION_NAME);
  if (!application) throw new DomainError("conflict", "The console's application was removed while it was being set up. Start again.");
  return application.id;
}

/** The derived secret becomes the only live one: after a change of GATEHOUSE_SECRET the old one is dead. */
async function replaceSecret(secret: string, { handle, now }: Part): Promise<void> {
  const added = await ensureSecret(CONSOLE_CLIENT_ID, secret, { handle, now });
  if (!added) return;
  const hint = secret.slice(-4);
  const older = (await listClientSecrets(handle, [CONSOLE_CLIENT_ID])).filter((one) => isLiveSecret(one, now()) && one.hint !== hint);
  for (const { id } of older) await retireClientSecret(handle, { clientId: CONSOLE_CLIENT_ID, secretId: id }, now());
}

async function ensureAdmin(wanted: Settings["firstAdmin"], deps: Part): Promise<FirstAdmin | undefined> {
  if (await hasAdmin(deps.handle)) return undefined;
  const email = wanted.email ?? "admin@example.com";
  const password = wanted.password ?? mintId(deps.random);
  try {
    const user = await createUser({ email, name: "Admin", password, role: "admin" }, deps);
    return { email: user.email, password, generated: wanted.password === undefined };
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.kind !== "conflict") throw cause;
    if (await hasAdmin(deps.handle)) return undefined; // another process was first
    throw new DomainError(
      "conflict",
      `There is no admin, and ${email} is somebody else's account. Set GATEHOUSE_ADMIN_EMAIL to another address.`,
    );
  }
}
