import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./commands.ts";

type Route = { path: string; requires: string; kind: string };

/**
 * Every route, read from the policy table and the product's, so that a new one is tested without a line in the tests.
 */
export const ROUTES: readonly Route[] = [
  "apps/web/server/routing/policy-table.ts",
  "packages/product/src/policies.ts",
].flatMap((file) =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/^ {2}"(\/[^"]*)": \{ requires: "(\w+)", kind: "(\w+)"/gm)].map(
    ([, path = "", requires = "", kind = ""]) => ({ path: path.replace("[provider]", "unknown"), requires, kind }),
  ),
);

/** The pages of users. */
export const PAGES = ROUTES.filter(
  ({ requires, kind }) => kind === "page" && (requires === "public" || requires === "signed_in"),
);
