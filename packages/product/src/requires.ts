import type { Ability } from "@gatehouse/console/permissions";
import { procedure } from "@gatehouse/console/trpc";
import type { ScopeName } from "./scopes-in-force.ts";

/**
 * Without `manageDevelopment`, which needs a rule for environments: use `procedure` for that, or for another audience.
 */
type ProductAbility = Exclude<Ability, "manageDevelopment">;

/**
 * A procedure that requires a scope of its caller. `may`: what the caller's role must allow, such as `view` for members
 * of the team; by default any role. `fresh`: whether the sign-in must be recent. A misspelt scope does not compile.
 */
export const requires = ({
  may = "signIn",
  ...rest
}: {
  scope: ScopeName;
  may?: "signIn" | ProductAbility;
  fresh?: boolean;
}) => procedure({ may, ...rest });
