import type { QuickStartClient, QuickStartName } from "@gatehouse/ui/quick-starts";
import type { Page } from "@playwright/test";
import type { Running } from "../harness/processes.ts";
import { startQuickStart } from "../harness/quick-starts.ts";
import { adminUrl, expect, issuer } from "./stage.ts";

const SCOPES = ["openid", "profile", "email", "offline_access", "api:read"];

export const unique = (name: string) => `${name} ${Date.now().toString(36)}`;

export type Start = { kind: string; name: string; framework?: string; redirectUri?: string; mcpServer?: string };

/** Goes through the three screens, and returns what the last one shows. */
export async function createByWizard(page: Page, { kind, name, framework, redirectUri, mcpServer }: Start) {
  await page.goto(`${adminUrl}/applications`);
  await page.getByRole("button", { name: "New application" }).click();
  await page.getByRole("radio", { name: kind, exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name").fill(name);
  if (framework !== undefined) await page.getByLabel("Framework").selectOption(framework);
  if (mcpServer !== undefined) await page.getByLabel("MCP server URL").fill(mcpServer);
  if (redirectUri !== undefined) await page.getByLabel("Redirect URI").fill(redirectUri);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const shown = page.getByTestId("client-secret");
  const confidential = ["Web app", "Service"].includes(kind);
  if (confidential) await expect(shown).toBeVisible();
  const secret = confidential ? ((await shown.textContent()) ?? "") : undefined;
  if (confidential) await page.getByRole("button", { name: "Done" }).click();
  return { clientId: (await page.getByTestId("client-id").textContent()) ?? "", secret };
}

export type Given = { clientId: string; secret: string | undefined };

const TYPES: Partial<Record<QuickStartName, QuickStartClient["type"]>> = {
  react: "browser",
  cli: "device",
  "curl-service": "service",
};

/** Runs `use` while the quick start runs with the client's values. */
export async function running(
  name: QuickStartName,
  { clientId, secret }: Given,
  change: Partial<QuickStartClient>,
  use: (program: Running) => Promise<void>,
) {
  const client: QuickStartClient = {
    clientId,
    environment: "development",
    type: TYPES[name] ?? "web",
    grantTypes: [],
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes: SCOPES,
    options: {},
    ...change,
  };
  const program = await startQuickStart(name, client, { issuer }, secret);
  try {
    await use(program);
  } finally {
    await program.stop();
  }
}
