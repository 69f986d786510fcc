import { z } from "zod";
import type { ApiTokenLimits } from "../api-tokens/limits.ts";
import { DomainError } from "../domain-error.ts";
import { environment } from "../fields.ts";
import { driftInput, driftPage, fileName, managedRef, managedView } from "../managed/schemas.ts";
import { unlockManaged } from "../managed/unlock.ts";
import type { Author } from "../permissions.ts";
import { procedure, router } from "../trpc.ts";
import { apply } from "./apply.ts";
import { type Change, OBJECT_KINDS } from "./change.ts";
import { exportConfiguration } from "./export/export.ts";
import { ManifestError } from "./file/manifest-error.ts";
import { readManifest } from "./file/read-manifest.ts";
import { listDrift } from "./managed/drift.ts";
import { planConfiguration, type Unlisted } from "./plan.ts";
import { prune } from "./prune.ts";

/** As much as the console's server forwards, less what is around it. */
const MAX_FILE = 200_000;

const object = { kind: z.enum(OBJECT_KINDS), name: z.string(), environment: environment.optional() };
const change = z.object({
  ...object,
  action: z.enum(["create", "update", "keep"]),
  fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
});

/**
 * `variables`: the values of what the file names as `{"from_env": "NAME"}`. The server's own environment is never read.
 */
const file = z.strictObject({
  file: z.string().max(MAX_FILE),
  /** Of the file. What is pasted has none. */
  name: fileName.default("a pasted file"),
  variables: z.record(z.string().max(100), z.string().max(2_000)).default({}),
});

/** A secret that was made, to be shown once. `clientId`: null for one that forwarded webhook events are signed with. */
const generated = z.object({ name: z.string(), clientId: z.string().nullable(), secret: z.string() });

/** The installation's configuration as a file: the same as `gatehouse export`, `plan` and `apply`. CO-71, CO-72. */
export const configurationRouter = router({
  export: procedure({
    may: "manageProduction",
    scope: "console:read",
    apiToken: { scope: "config:plan", reach: "everything" },
  })
    .output(z.string())
    .query(({ ctx }) => exportConfiguration(ctx.deps)),

  /** What applying a file would do. Changes nothing. */
  plan: procedure({
    may: "manageProduction",
    scope: "console:write",
    apiToken: { scope: "config:plan", reach: "everything" },
  })
    .input(file)
    .output(
      z.object({
        id: z.string(),
        changesId: z.string(),
        changes: z.array(change),
        notInFile: z.array(z.object({ ...object, id: z.string() })),
        /** How many objects it locks, marks as managed by the file, or releases, besides those that it creates. */
        recording: z.object({ locks: z.int(), marks: z.int(), releases: z.int() }),
      }),
    )
    .mutation(({ ctx, input }) => {
      const { applier, manifest } = read(input, ctx);
      return planConfiguration(manifest, applier, ctx.deps);
    }),

  /**
   * Applies a file if its plan is still the one that was looked at: `planId` is its `changesId`. `prune`: also removes
   * what the plan lists as not in the file, which must be so many; `planId` is its `id` then.
   */
  applyFile: procedure({
    may: "manageProduction",
    scope: "console:write",
    fresh: true,
    apiToken: { scope: "config:apply", reach: "everything" },
  })
    .input(file.extend({ planId: z.string().max(100), prune: z.int().min(1).optional() }))
    .output(z.object({ changed: z.boolean(), removed: z.int(), secrets: z.array(generated) }))
    .mutation(async ({ ctx, input }) => {
      const { applier, manifest } = read(input, ctx);
      const plan = await planConfiguration(manifest, applier, ctx.deps);
      if (input.planId !== (input.prune === undefined ? plan.changesId : plan.id))
        throw new DomainError(
          "conflict",
          "The file, or something it touches, has changed since this plan was made. Make a new plan.",
        );
      if (input.prune !== undefined && input.prune !== plan.notInFile.length)
        throw new ManifestError([
          { path: "prune", message: `is ${input.prune}, but the plan lists ${plan.notInFile.length}` },
        ]);
      const removals = input.prune === undefined ? [] : plan.notInFile;
      const { apiToken } = ctx.principal;
      if (apiToken) assertForToken(plan.changes, removals, apiToken);
      const applied = await apply(manifest, applier, ctx.deps);
      await prune(removals, applier, ctx.deps);
      return { changed: applied.changed || removals.length > 0, removed: removals.length, secrets: secretsOf(applied) };
    }),

  /** What differs from the files that manage it, and who changed it. CO-73. */
  drift: procedure({
    may: "manageProduction",
    scope: "console:read",
    apiToken: { scope: "config:plan", reach: "everything" },
  })
    .input(driftInput)
    .output(driftPage)
    .query(({ ctx, input }) => listDrift(input, ctx.deps)),

  /** Lets people change an object that a file locks, until the file is applied again. CO-73. */
  unlock: procedure({
    may: "manageDevelopment",
    scope: "console:write",
    fresh: true,
    environment: "admins in production",
  })
    .input(managedRef)
    .output(managedView)
    .mutation(({ ctx, input }) => unlockManaged(input, ctx.actor, ctx.deps)),
});

/** A file can make its reader an admin. What acts for an admin must not outlive that admin. CO-70. */
const NO_USERS =
  "cannot be applied by an API token. Leave it out, and apply it in the console or with `gatehouse apply`";

/**
 * UM-03. Here an admin would choose the password, or learn from the plan whether a guess is right; on the server's
 * machine an operator seeds it.
 */
const NO_PASSWORDS =
  "cannot be set here: admins never choose a user's password. Leave it out, and invite a new user with `invited`, or apply the file with `gatehouse apply`";

/**
 * A provider can verify the address of any account, so the person who sets one up can sign in as an admin. One that is
 * bound to a domain keeps other ways in closed for its addresses. CO-70, UP-10.
 */
const NO_PROVIDERS =
  "cannot be added, changed or removed by an API token. Apply the file in the console or with `gatehouse apply` first";

/**
 * A first-party client gets tokens with all rights of the users who sign in through it, an admin's too, without asking
 * them. CO-70.
 */
const NO_TRUSTED =
  "is first-party, a resource server, or has scopes of accounts or the console, so this API token cannot add, change or remove it. " +
  "Apply the file in the console or with `gatehouse apply` first";

/** Everything that such a client is sent goes to the team's own app, even if the token is stolen. PK-22. */
const elsewhere = (origins: readonly string[], allowed: readonly string[]) =>
  `has addresses at ${origins.join(", ")}, and this API token may register first-party clients at ${allowed.join(", ")} alone. ` +
  "Make a token for these origins, or apply the file in the console";

/** Its payloads would go where the token says, and no token reads payloads. Only admins read those of production. CO-70. */
const NO_FORWARDING =
  "cannot be added or changed by an API token: it decides who gets the payloads. Apply the file in the console or with `gatehouse apply` first";

type Touched = Pick<Change, "kind" | "name" | "environment" | "trusted" | "origins">;

/**
 * Throws {@link ManifestError} for changes and removals with which a token could take over an account, or end what
 * keeps others from it.
 */
function assertForToken(
  changes: readonly Change[],
  removals: readonly Unlisted[],
  { firstPartyOrigins }: Pick<ApiTokenLimits, "firstPartyOrigins">,
): void {
  const touched: Touched[] = [...changes.filter(({ action }) => action !== "keep"), ...removals];
  const redirected = changes.filter(
    ({ kind, fields }) =>
      kind === "webhook_endpoint" &&
      fields.some(({ field, after }) => field === "forwarding_secret" || (field === "forward" && after !== null)),
  );
  const forwarding = redirected.map(({ name }) => ({ path: `webhooks: ${name}.forward`, message: NO_FORWARDING }));
  const problems = touched.flatMap(({ kind, name, environment: place, trusted, origins }) => {
    if (kind === "sign_in_provider") return [{ path: "sign_in_providers", message: NO_PROVIDERS }];
    const others = origins?.filter((origin) => !firstPartyOrigins.includes(origin));
    if (!trusted || others?.length === 0) return [];
    const isElsewhere = others !== undefined && firstPartyOrigins.length > 0;
    const message = isElsewhere ? elsewhere(others, firstPartyOrigins) : NO_TRUSTED;
    return [{ path: `applications: ${name}${place ? ` (${place})` : ""}`, message }];
  });
  if (problems.length + forwarding.length > 0) throw new ManifestError([...problems, ...forwarding]);
}

function read(
  input: z.output<typeof file>,
  { actor, deps }: { actor: Author; deps: { config: Parameters<typeof readManifest>[1] } },
) {
  const variable = (name: string) => input.variables[name] ?? "";
  const manifest = readManifest(input.file, deps.config, variable);
  if (actor.via === "api_token" && manifest.users.length > 0)
    throw new ManifestError([{ path: "users", message: NO_USERS }]);
  const problems = manifest.users.flatMap((user, at) =>
    (["password", "password_hash"] as const).flatMap((field) =>
      user[field] === undefined ? [] : [{ path: `users.${at}.${field}`, message: NO_PASSWORDS }],
    ),
  );
  if (problems.length > 0) throw new ManifestError(problems);
  return { applier: { author: { ...actor, file: input.name }, variable }, manifest };
}

type Applied = Awaited<ReturnType<typeof apply>>;

/** The secrets of new clients that the file gives none, and those of forwarding. */
function secretsOf({ applications, webhooks }: Applied): z.output<typeof generated>[] {
  const forwarding = webhooks.flatMap(({ provider, endpoint = provider, forwarding_secret: secret }) =>
    secret === undefined ? [] : [{ name: `Forwarding of ${endpoint}`, clientId: null, secret }],
  );
  return [...secretsOfClients(applications), ...forwarding];
}

function secretsOfClients(applications: Applied["applications"]): z.output<typeof generated>[] {
  return applications.flatMap(({ name, environments, clients = [] }) =>
    [
      { name, environments: environments ?? {} },
      ...clients.map((client) => ({ ...client, name: `${name} / ${client.name}` })),
    ].flatMap((one) =>
      Object.entries(one.environments).flatMap(([place, { client_id: clientId, client_secret: secret }]) =>
        secret === undefined ? [] : [{ name: `${one.name} (${place})`, clientId, secret }],
      ),
    ),
  );
}
