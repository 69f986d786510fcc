import { expect, test } from "vitest";
import { userCommand } from "./user.ts";

test("UM-05 second factors are reset with a reason only", async () => {
  const errors: string[] = [];
  const command = userCommand().commands.find((one) => one.name() === "reset-second-factors");
  command?.exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  await expect(command?.parseAsync(["ada@example.com"], { from: "user" })).rejects.toMatchObject({
    code: "commander.missingMandatoryOptionValue",
  });
  expect(errors.join("")).toContain("--reason");
});
