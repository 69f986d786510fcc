import { expect, test } from "vitest";
import { describeUnknown, unknownVariables } from "./unknown.ts";

const told = (...names: string[]) =>
  unknownVariables(Object.fromEntries(names.map((name) => [name, "1"]))).map(describeUnknown);

test("OP-11 a variable that nothing reads is told with the setting that was probably meant", () => {
  expect(told("GATEHOUSE_ISUER", "GATEHOUSE_SECERT_FILE", "GATEHOUSE_COFFEE_MACHINE")).toEqual([
    "GATEHOUSE_COFFEE_MACHINE is no setting",
    "GATEHOUSE_ISUER is no setting. Did you mean GATEHOUSE_ISSUER?",
    "GATEHOUSE_SECERT_FILE is no setting. Did you mean GATEHOUSE_SECRET_FILE?",
  ]);
});

test("OP-11 PK-12 settings, files of secrets, and the variables of products and of other programs are not", () => {
  expect(told("GATEHOUSE_ISSUER", "GATEHOUSE_SECRET_FILE", "DATABASE_URL_FILE", "GATEHOUSE_APP_URL", "PATH")).toEqual(
    [],
  );
});
