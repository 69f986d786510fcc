import { type Config, ENVIRONMENTS } from "@gatehouse/auth";
import { z } from "zod";
import { SERVER_GROUP } from "./server.ts";
import { type SettingsTable, shapeOf, TEXT } from "./setting.ts";

/** A list like `staging,production`. */
const environments = z.string().transform((value, context) => {
  const names = value.split(",").map((name) => name.trim());
  if (names.every((name) => ENVIRONMENTS.some((known) => known === name)))
    return ENVIRONMENTS.filter((name) => names.includes(name));
  context.addIssue({ code: "custom", message: `must be a list of ${ENVIRONMENTS.join(", ")}, separated by commas` });
  return z.NEVER;
});

/** The API that Gatehouse has built in. */
export const API = {
  GATEHOUSE_API_TOKEN_FORMAT: {
    value: z.enum(["opaque", "jwt"], "must be opaque or jwt").default("opaque"),
    docs: {
      default: "`opaque`",
      meaning: "`jwt`: access tokens for the built-in API are JWTs (RFC 9068). They can still be revoked",
      example: "opaque",
    },
    console: {
      section: "general",
      group: SERVER_GROUP,
      label: "Access tokens of the built-in API",
      about: "Opaque tokens are looked up at each request; JWTs are signed.",
      input: TEXT,
      show: ({ config }) => config.tokenFormat ?? "opaque",
    },
  },
  GATEHOUSE_API_ENVIRONMENTS: {
    value: environments.optional(),
    docs: {
      default: "`production`; all three while the issuer is http on loopback",
      meaning:
        "environments whose tokens the built-in `/api` and `/trpc` accept, for example `staging,production` " +
        "([more](protect-an-api.md#handlers-and-procedures-inside-gatehouse))",
      example: "production",
    },
  },
} as const satisfies SettingsTable<{ config: Config }>;

export const apiVariables = shapeOf(API);

export function apiSettings(
  given: z.output<z.ZodObject<typeof apiVariables>>,
): Pick<Config, "tokenFormat" | "apiEnvironments"> {
  const { GATEHOUSE_API_TOKEN_FORMAT: tokenFormat, GATEHOUSE_API_ENVIRONMENTS: apiEnvironments } = given;
  return { ...(tokenFormat === "jwt" && { tokenFormat }), ...(apiEnvironments && { apiEnvironments }) };
}
