import { MAX_NAME_LENGTH, readName } from "@gatehouse/accounts";
import { expect, test } from "vitest";
import { userChange, userDraft } from "../users/schemas.ts";
import { manifest } from "./file/manifest.ts";

const LONGEST = "n".repeat(MAX_NAME_LENGTH);
const file = manifest.shape.users.unwrap().element;

test.each([
  ["the console and the command line", (name: string) => userDraft.shape.name.safeParse(name).success],
  ["a change in the console", (name: string) => userChange.shape.name.safeParse(name).success],
  ["a file to apply", (name: string) => file.safeParse({ email: "ada@example.com", name }).success],
])("RG-09 %s sets no longer name than the user's own profile takes", (_, takes) => {
  expect([takes(LONGEST), readName(LONGEST)]).toEqual([true, LONGEST]);
  expect([takes(`${LONGEST}n`), readName(`${LONGEST}n`)]).toEqual([false, undefined]);
});
