import type { Environment } from "@gatehouse/auth";
import type { Tables } from "@gatehouse/db/query/db";
import { z } from "zod";
import { environment } from "../fields.ts";

/** The client that a request named; without an application if there is no such client. Null if it named none. */
export const namedClient = z
  .object({
    clientId: z.string(),
    applicationId: z.string().nullable(),
    applicationName: z.string().nullable(),
    /** Of the client among those of its application. */
    name: z.string().nullable(),
    environment: environment.nullable(),
  })
  .nullable();

/** What a row has of the client that its request named, joined by the client's id; null if there is no such client. */
export type NamedClientColumns = {
  applicationId: string | null;
  applicationName: string | null;
  clientName: string | null;
  environment: Environment | null;
};

export const namedClientColumns = ({ applications, clients }: Pick<Tables, "applications" | "clients">) => ({
  applicationId: clients.applicationId,
  applicationName: applications.name,
  clientName: clients.name,
  environment: clients.environment,
});

/** Splits a row into the client that it names and the rest. */
export function splitNamedClient<Row extends NamedClientColumns & { clientId: string | null }>(row: Row) {
  const { clientId, applicationId, applicationName, clientName, environment, ...rest } = row;
  const client = clientId === null ? null : { clientId, applicationId, applicationName, name: clientName, environment };
  return { client, rest };
}
