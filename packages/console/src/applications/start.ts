import { registerClient } from "../clients/register.ts";
import { type ClientDraft, clientProblems } from "../clients/rules.ts";
import type { ClientView } from "../clients/view.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { discardApplication } from "../removed/remove.ts";
import { createResource, listResources, removeResource } from "../resources/resources.ts";
import { createApplication } from "./applications.ts";
import type { ApplicationStart } from "./schemas.ts";

type Part = Pick<OperationDeps, "db" | "config" | "now" | "random">;

const DEFAULTS = {
  environment: "development",
  postLogoutRedirectUris: [],
  firstParty: false,
  resourceServer: false,
  refreshRetrySeconds: 30,
} satisfies Partial<ClientDraft>;

/**
 * Creates an application together with its development client, and for an MCP server the API that it is. All or
 * nothing: if the client or the API cannot be registered, the application is deleted again. Returns the generated
 * secret, null for a client without one. Throws `invalid` and `conflict` with the fields `name`, `redirectUris.0` and
 * `mcpServer`, `forbidden` by role. CO-20.
 */
export async function startApplication(
  { name, description, mcpServer, ...draft }: ApplicationStart,
  author: Author,
  deps: Part,
): Promise<{ client: ClientView; secret: string | null }> {
  if (mcpServer !== undefined && author.role !== "admin")
    throw new DomainError(
      "forbidden",
      "An MCP server is registered as an API, which only admins can do. Ask an admin.",
    );
  const client = { ...draft, ...DEFAULTS };
  // Found before anything is written; what only a write can find is undone below.
  const problems = clientProblems(client, deps.config);
  if (problems.length > 0) throw invalid(problems);

  const application = await createApplication({ name, description }, author, deps);
  const created = [() => discardApplication(application, author, deps)];
  try {
    const postLogoutRedirectUris = firstPageOf(client);
    const registration = { ...client, postLogoutRedirectUris, applicationId: application.id };
    if (mcpServer === undefined) return await registerClient(registration, author, deps);
    const scope = await registerMcpServer(mcpServer, name, author, deps);
    created.push(() => removeResource(mcpServer, author, deps));
    const options = { resources: [mcpServer] };
    return await registerClient({ ...registration, scopes: [...draft.scopes, scope], options }, author, deps);
  } catch (error) {
    for (const undo of created.toReversed()) await undo();
    throw error;
  }
}

/** So that signing out at Gatehouse leads back to the program. A native program has no page to return to. */
function firstPageOf({ type, redirectUris: [redirectUri] }: Pick<ClientDraft, "type" | "redirectUris">): string[] {
  if (redirectUri === undefined || (type !== "web" && type !== "browser")) return [];
  return [new URL("/", redirectUri).href];
}

/** Registers the API and returns its scope. MCP clients that nobody registered may ask users for it, as MCP expects. */
async function registerMcpServer(id: string, name: string, author: Author, deps: Part): Promise<string> {
  const scope = await freeScope(name, deps);
  const about = {
    id,
    name,
    tokenFormat: "jwt",
    tokenAlgorithm: "RS256",
    attachedBy: "admins",
    strangers: "asked",
  } as const;
  const scopes = [{ name: scope, description: `use the tools of ${name}` }];
  try {
    await createResource({ ...about, scopes, environments: ["development"] }, author, deps);
  } catch (error) {
    throw error instanceof DomainError ? atField("mcpServer", error) : error;
  }
  return scope;
}

/** `<name>:use`, with a number if another API has that scope: a scope belongs to one API. */
async function freeScope(name: string, { db }: Pick<Part, "db">): Promise<string> {
  const taken = new Set((await listResources({ db })).flatMap(({ scopes }) => scopes.map((scope) => scope.name)));
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["mcp"];
  const base = words.join("-").slice(0, 60);
  for (let number = 1; ; number++) {
    const scope = `${base}${number === 1 ? "" : `-${number}`}:use`;
    if (!taken.has(scope)) return scope;
  }
}

/** The form has one field for the whole API. */
function atField(path: string, { kind, message, problems }: DomainError): DomainError {
  const [first] = problems;
  return new DomainError(kind, message, [{ path, message: first?.message ?? message }]);
}
