import { type AccountSettings, isRpIdOf, passkeySettings } from "@gatehouse/accounts";
import { isPublicSuffix } from "@gatehouse/console/public-suffix";
import { isUrl } from "@gatehouse/runtime";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { type SettingsTable, shapeOf } from "./setting.ts";

/** Browsers read at most this many registrable labels of the related origins. WebAuthn L3 §5.11.1. */
const MOST_ORIGINS = 5;

const list = z.string().transform((value) =>
  value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ""),
);

const isHttpsOrigin = (value: string) =>
  isUrl(value) && new URL(value).protocol === "https:" && new URL(value).origin === value;

export const PASSKEYS = {
  GATEHOUSE_WEBAUTHN_RP_ID: {
    value: z.string().toLowerCase().optional(),
    docs: {
      default: "the issuer's host",
      meaning: "the domain that [passkeys](accounts.md#passkeys) belong to: the issuer's host or a parent domain",
      example: "example.com",
    },
  },
  GATEHOUSE_WEBAUTHN_FORMER_RP_IDS: {
    value: list.optional(),
    docs: {
      default: "none",
      meaning:
        "earlier domains whose passkeys may be lost, separated by commas. With passkeys of any other domain, the " +
        "server does not start",
      example: "old.example.com",
    },
  },
  GATEHOUSE_WEBAUTHN_ORIGINS: {
    value: list
      .refine(
        (origins) => origins.every(isHttpsOrigin),
        "must be https origins like https://shop.example, separated by commas",
      )
      .refine(
        (origins) => origins.length <= MOST_ORIGINS,
        `must be at most ${MOST_ORIGINS} origins: browsers read no more`,
      )
      .optional(),
    docs: {
      default: "none",
      meaning:
        "https origins of other sites that may use these passkeys, at most 5, separated by commas. Browsers accept " +
        "five registrable domains; counting origins stays below that without a list of public suffixes",
      example: "https://shop.example",
    },
  },
} as const satisfies SettingsTable<never>;

export const passkeyVariables = shapeOf(PASSKEYS);

type Variables = z.infer<z.ZodObject<typeof passkeyVariables>>;

/** How passkeys are bound to the issuer. Throws if the RP ID does not belong to it. WA-01, WA-02. */
export function readPasskeySettings(
  given: Variables,
  issuer: string,
): Pick<AccountSettings, "passkeys" | "formerRpIds"> {
  const {
    GATEHOUSE_WEBAUTHN_RP_ID: rpId,
    GATEHOUSE_WEBAUTHN_FORMER_RP_IDS: formerRpIds,
    GATEHOUSE_WEBAUTHN_ORIGINS: relatedOrigins,
  } = given;
  const { hostname } = new URL(issuer);
  if (rpId !== undefined && !isRpIdOf(rpId, issuer)) {
    throw wrongSetting(
      "GATEHOUSE_WEBAUTHN_RP_ID",
      `must be ${hostname}, the host of GATEHOUSE_ISSUER, or a domain that it belongs to`,
    );
  }
  // WebAuthn L3 §5.1.3, step 8: the RP ID is registrable. Browsers refuse the others only once somebody adds a passkey.
  if (rpId !== undefined && rpId !== hostname && isPublicSuffix(rpId))
    throw wrongSetting(
      "GATEHOUSE_WEBAUTHN_RP_ID",
      `must not be ${rpId}: anybody can get a name under it. Use ${hostname}`,
    );
  const passkeys = passkeySettings(issuer, {
    ...(rpId !== undefined && { rpId }),
    ...(relatedOrigins && { relatedOrigins }),
  });
  return { passkeys, formerRpIds: formerRpIds ?? [] };
}
