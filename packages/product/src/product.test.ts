import { SCOPES } from "@gatehouse/auth";
import { appRouter as gatehouseRouter } from "@gatehouse/console/root";
import { describe, expect, test } from "vitest";
import { appRouter } from "./app-router.ts";
import { scopes } from "./index.ts";
import { productRouter } from "./routers.ts";
import { productScopes } from "./scopes.ts";

describe("D20 what the product adds", () => {
  test("its scopes take no name of Gatehouse's, and both are in the table", () => {
    expect(Object.keys(productScopes).filter((name) => Object.hasOwn(SCOPES, name))).toEqual([]);
    expect(Object.keys(scopes)).toEqual([...Object.keys(SCOPES), ...Object.keys(productScopes)]);
  });

  test("its procedures are served beside Gatehouse's", () => {
    const namesOf = ({ _def }: { _def: { procedures: object } }) => Object.keys(_def.procedures);
    expect(namesOf(appRouter).toSorted()).toEqual([...namesOf(gatehouseRouter), ...namesOf(productRouter)].toSorted());
  });
});
