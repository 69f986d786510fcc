import { printed } from "../harness/quick-starts.ts";
import { createByWizard, running, unique } from "./new-application.ts";
import { expect, openConsole, test } from "./stage.ts";

// From "What are you building?" to a token, by the quick start that the last screen shows. CO-20, CO-22.

test("CO-16 CO-20 CO-22 wizard-to-token: a service, with its quick start; the page shows its first token", async ({
  page,
}) => {
  await openConsole(page, "developer");
  const given = await createByWizard(page, { kind: "Service", name: unique("Wizard service") });
  await running("curl-service", given, { scopes: ["api:read"] }, async (program) => {
    expect(await printed(program, /"access_token":"(gat_)/)).toBe("gat_");
    await expect(page.getByTestId("first-token")).toContainText("First token received");
  });
});
