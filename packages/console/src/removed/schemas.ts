import { z } from "zod";
import { applicationDraft } from "../applications/schemas.ts";
import { at, clientId, environment, id } from "../fields.ts";

const kind = z.enum(["application", "client"]);

/** The id that a removed application or client had. */
export const removedId = clientId;

export const removedView = z.object({
  id: z.string(),
  kind,
  name: z.string(),
  /** Of a client. */
  environment: environment.nullable(),
  applicationId: id,
  applicationName: z.string(),
  /** Of the clients that are restored. */
  environments: z.array(environment),
  /** How many clients are restored. */
  clients: z.int(),
  removedAt: at,
  removedBy: z.string(),
  restorableUntil: at,
});

/** `name`: another one, if its own is taken. */
export const restoreInput = z.strictObject({ id: removedId, name: applicationDraft.shape.name.optional() });

export const restoredView = z.object({
  kind,
  applicationId: id,
  name: z.string(),
  environment: environment.nullable(),
});
