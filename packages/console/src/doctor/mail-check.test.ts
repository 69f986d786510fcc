import { expect, test } from "vitest";
import type { Outbox } from "../mails/outbox.ts";
import { checkMail } from "./mail-check.ts";

const outbox = (delivery: Outbox["delivery"], answer?: string | null): Outbox => ({
  delivery,
  burstSeconds: async () => 0,
  read: () => undefined,
  tryServer: async () => answer,
});

test.each([
  ["an SMTP server that takes mail", outbox("smtp", null), "ok"],
  ["an SMTP server that does not", outbox("smtp", "535 5.7.8 authentication failed"), "failed"],
  ["a mailbox", outbox("mailbox"), "skipped"],
  ["mail that is off", outbox("off"), "skipped"],
] as const)("EM-01 the doctor tries %s", async (_, its, state) => {
  const finding = await checkMail({ outbox: its });
  expect(finding.state).toBe(state);
  if (state === "failed")
    expect(finding).toMatchObject({
      seen: "535 5.7.8 authentication failed",
      fix: expect.stringContaining("GATEHOUSE_SMTP_URL"),
    });
});
