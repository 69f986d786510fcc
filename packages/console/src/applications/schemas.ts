import { z } from "zod";
import { clientSettings, resourceId } from "../clients/schemas.ts";
import { at, clientType, environment, id, line, lines, version } from "../fields.ts";
import { APPLICATION_FILTERS } from "../lists/lists.ts";
import { filterInput } from "../paging.ts";

export const applicationDraft = z.strictObject({
  name: line.trim().min(1, "give the application a name").max(80, "use at most 80 characters"),
  description: lines.trim().max(500, "use at most 500 characters").default(""),
});

export const applicationExportDraft = z.strictObject({ filter: filterInput(APPLICATION_FILTERS).default({}) });

export const applicationListItem = z.object({
  id,
  name: z.string(),
  description: z.string(),
  createdAt: at,
  version,
  /** 0 before the first token of any client. */
  lastTokenAt: at,
  /** Of all its clients in the last 24 hours. */
  refusals: z.int(),
  clients: z.array(
    z.object({
      clientId: z.string(),
      name: z.string(),
      environment,
      type: clientType,
      enabled: z.boolean(),
      /** The file that locks it. CO-73. */
      lockedBy: z.string().nullable(),
    }),
  ),
});

/** An application with its development client. `mcpServer`: the URL of the MCP server that the application is. */
export const applicationStart = applicationDraft
  .extend({ type: clientType, mcpServer: resourceId.optional() })
  .extend(clientSettings.pick({ redirectUris: true, grantTypes: true, scopes: true }).shape);
export type ApplicationStart = z.output<typeof applicationStart>;
