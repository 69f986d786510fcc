import { expect, test } from "vitest";
import { doctorCommand } from "./doctor.ts";

test.each([
  ["an address without a scheme", ["gate.example"], "https://gate.example"],
  ["an unknown endpoint", ["https://gate.example", "--endpoint", "paypol"], "paypol is not a provider"],
])("gatehouse doctor explains %s before anything is sent", async (_, args, expected) => {
  const problems = [{ message: expect.stringContaining(expected) }];
  await expect(doctorCommand().parseAsync(args, { from: "user" })).rejects.toMatchObject({ problems, exitCode: 2 });
});
