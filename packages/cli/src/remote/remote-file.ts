import type { Environment } from "@gatehouse/auth";
import { variable } from "../env.ts";
import { fileName, InputError } from "../input.ts";

/** A configuration file as a server gets it. `appUrls`: where the product of each client runs, by what a plan calls it. */
export type RemoteFile = {
  file: string;
  name: string;
  variables: Record<string, string>;
  appUrls: ReadonlyMap<string, string>;
};

type Client = { redirect_uris?: unknown };
type Environments = Partial<Record<Environment, Client>>;
type Application = {
  name?: string;
  environments?: Environments;
  clients?: { name?: string; environments?: Environments }[];
};
type Content = { applications?: Application[]; webhooks?: { environment?: string }[] };

/**
 * Reads a file for a server. With an environment, only what is of that environment stays: its clients and webhook
 * endpoints, and what belongs to none. The values of variables that it names go along. Throws InputError.
 */
export function remoteFile(path: string, text: string, only: Environment | undefined): RemoteFile {
  const content = parse(text);
  const kept = only === undefined ? content : ofEnvironment(content, only);
  return {
    file: JSON.stringify(kept),
    // What a file manages is known by its name: the part for one environment is a file of its own.
    name: only === undefined ? fileName(path) : `${fileName(path)} (${only})`,
    variables: Object.fromEntries(namesIn(kept).map((name) => [name, valueToSend(name)])),
    appUrls: new Map(appUrlsIn(kept)),
  };
}

function parse(text: string): Content {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === "object" && content !== null && !Array.isArray(content)) return content;
  } catch {
    // the same message
  }
  throw new InputError([{ path: "", message: "the file is not a JSON object" }]);
}

function ofEnvironment({ applications, webhooks, ...rest }: Content, only: Environment): Content {
  const pick = (environments: Environments): Environments => {
    const client = environments[only];
    return client === undefined ? {} : { [only]: client };
  };
  const kept = listOf(applications).map((application): Application => {
    const { environments, clients } = application;
    return {
      ...application,
      ...(environments && { environments: pick(environments) }),
      ...(clients && {
        clients: listOf(clients)
          .map((client) => ({ ...client, environments: pick(client.environments ?? {}) }))
          .filter((client) => Object.keys(client.environments).length > 0),
      }),
    };
  });
  const hasClients = ({ environments = {}, clients = [] }: Application) =>
    Object.keys(environments).length + clients.length > 0;
  return {
    ...rest,
    ...(applications && { applications: kept.filter(hasClients) }),
    ...(webhooks && { webhooks: webhooks.filter(({ environment = "production" }) => environment === only) }),
  };
}

const listOf = <Item>(value: Item[] | undefined): Item[] => (Array.isArray(value) ? value : []);

/** The names of `{"from_env": "NAME"}`. */
function namesIn(content: Content): string[] {
  const names = new Set<string>();
  JSON.stringify(content, (_, value: unknown) => {
    const name = typeof value === "object" && value !== null ? Reflect.get(value, "from_env") : undefined;
    if (typeof name === "string") names.add(name);
    return value;
  });
  return [...names];
}

/** The server refuses names that are its own, and says so for one that is not set. */
function valueToSend(name: string): string {
  return /^(?:GATEHOUSE|DATABASE)_/i.test(name) ? "" : variable(name);
}

/** The handlers of the SDK are below `/auth`, so that the rest of the redirect URI is the URL of the app. */
function* appUrlsIn({ applications }: Content): Generator<[string, string]> {
  for (const { name = "", environments, clients } of listOf(applications)) {
    const all = [
      ...(environments ? [{ name, environments }] : []),
      ...listOf(clients).map((client) => ({
        name: `${name} / ${client.name}`,
        environments: client.environments ?? {},
      })),
    ];
    for (const one of all)
      for (const [environment, { redirect_uris: uris }] of Object.entries(one.environments)) {
        const [uri] = Array.isArray(uris) ? uris : [];
        const [, appUrl] = /^(.+)\/auth\/callback$/.exec(typeof uri === "string" ? uri : "") ?? [];
        if (appUrl !== undefined) yield [`${one.name} (${environment})`, appUrl];
      }
  }
}
