import { createPasswordRules } from "@gatehouse/accounts";
import { expect, test } from "vitest";
import { operatorPasswordErrors, shortPasswordNotice } from "./password.ts";

const email = "ada@example.com";
const passwordRules = createPasswordRules({ names: async () => [] });

test.each([
  [9, true, true],
  [10, false, true],
  [14, false, true],
  [15, false, false],
])("PW-01 a password of %i characters that an operator sets: refused %s, with a notice %s", (length, refused, told) => {
  // Two UTF-16 units each: characters count.
  const password = "\u{1f511}".repeat(length);
  expect(operatorPasswordErrors(password, email).length > 0).toBe(refused);
  const notice = shortPasswordNotice({ email, password }, { passwordRules });
  expect(notice !== undefined).toBe(told);
  if (told) expect([notice?.includes(`${length} characters`), notice?.includes(password)]).toEqual([true, false]);
});

test("PW-01 where shorter passwords are allowed, they cause no notice", () => {
  const rules = createPasswordRules({ leastCharacters: 8, names: async () => [] });
  expect(shortPasswordNotice({ email, password: "ten of them" }, { passwordRules: rules })).toBeUndefined();
});
