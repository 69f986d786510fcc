import { createHmac, randomBytes } from "node:crypto";
import { createSeal, sha256 } from "@gatehouse/auth";
import type { Page } from "@playwright/test";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { withDatabase } from "./database.ts";
import { environment, issuer } from "./stage.ts";

export const STAGING = { slug: "stripe-staging", secret: "whsec_of_staging_4242" };

export const PRODUCTION = { slug: "stripe", secret: WEBHOOK_SECRETS.stripe };

/** Configures an endpoint of Stripe in staging. */
export const createStagingEndpoint = (): Promise<void> =>
  withDatabase(async ({ db }) => {
    const { webhookEndpoints, webhookSecrets } = db.tables;
    const seal = createSeal(environment["GATEHOUSE_SECRET"] ?? "", randomBytes);
    const endpoint = {
      slug: STAGING.slug,
      provider: "stripe",
      environment: "staging",
      settings: {},
      createdAt: 1_700_000_000,
    } as const;
    await db.insert(webhookEndpoints).values(endpoint).onConflictDoNothing();
    const secret = {
      id: "staging-secret",
      endpoint: STAGING.slug,
      kind: "signing",
      name: "Sandbox",
      hint: STAGING.secret.slice(-4),
    } as const;
    const sealed = {
      sealed: seal.seal("webhook secret", STAGING.secret),
      hash: sha256(STAGING.secret),
      createdAt: 1_700_000_000,
    };
    await db
      .insert(webhookSecrets)
      .values({ ...secret, ...sealed })
      .onConflictDoNothing();
  });

export type Endpoint = { slug: string; secret: string };

export const freshId = () => `evt_detail_${randomBytes(6).toString("hex")}`;

/** Sends an event as Stripe does, and returns its delivery's id. No handler wants the default type. */
export async function deliver(
  { slug, secret }: Endpoint,
  { id = freshId(), type = "invoice.finalized" } = {},
): Promise<string> {
  const object = {
    id: `in_${id}`,
    amount_paid: 4200,
    customer_email: "jenny@example.com",
    lines: { data: [{ id: "li_1" }] },
  };
  const body = JSON.stringify({ id, object: "event", type, created: 1_767_225_600, data: { object } });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${time},v1=${signature}` };
  const response = await fetch(`${issuer}/api/webhooks/${slug}`, { method: "POST", headers, body });
  return response.headers.get("gatehouse-delivery-id") ?? "";
}

export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

export const panel = (page: Page) => page.getByRole("tabpanel");
