import { type Config, EDITOR_SCHEMES, isPrivateScheme, REGISTRATION_POLICIES } from "@gatehouse/auth";
import { z } from "zod";
import { onOrOff, type SettingsTable, SWITCH, shapeOf, TEXT } from "./setting.ts";

/** A list like `cursor,vscode`, or `none`. CF-14. */
const privateSchemes = z.string().transform((value, context) => {
  const names = value.trim() === "none" ? [] : [...new Set(value.split(",").map((name) => name.trim()))];
  const wrong = names.find((name) => !isPrivateScheme(name));
  if (wrong === undefined) return names;
  const message = `must be none, or schemes of apps in lower case, separated by commas, without colons; ${JSON.stringify(wrong)} is none`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const SELF_REGISTERED = {
  title: "Clients that register themselves",
  text: "Users see a warning before they allow one. Blocks and registration tokens are on the page Self-registered.",
};

export const REGISTRATION = {
  GATEHOUSE_REGISTRATION: {
    value: z.enum(REGISTRATION_POLICIES, `must be ${REGISTRATION_POLICIES.join(", ")}`).default("closed"),
    docs: {
      default: "`closed`",
      meaning: "`token` or `open`: clients can [register themselves](self-registration.md)",
      example: "closed",
    },
    console: {
      section: "registration",
      group: SELF_REGISTERED,
      label: "Dynamic client registration",
      about: "Whether programs can register clients themselves (RFC 7591), such as MCP clients.",
      input: {
        kind: "choice",
        options: [
          { value: "closed", label: "Closed" },
          { value: "token", label: "With a registration token" },
          { value: "open", label: "Open to any program" },
        ],
      },
      changeable: true,
      show: ({ config }) => config.registration ?? "closed",
    },
  },
  GATEHOUSE_REGISTRATION_SCHEMES: {
    value: privateSchemes.default([...EDITOR_SCHEMES]),
    docs: {
      default: EDITOR_SCHEMES.map((scheme) => `\`${scheme}\``).join(", "),
      meaning:
        "private schemes that [such clients](self-registration.md) may register redirect URIs with, separated by " +
        "commas, or `none`",
      example: "cursor,vscode",
    },
    console: {
      section: "registration",
      group: SELF_REGISTERED,
      label: "Schemes of registered apps",
      about:
        "Private schemes that apps can register redirect URIs with themselves, separated by commas, or none. Users " +
        "are asked each time.",
      input: TEXT,
      changeable: true,
      show: ({ config }) => (config.registrationSchemes ?? []).join(",") || "none",
    },
  },
  GATEHOUSE_CLIENT_METADATA_DOCUMENTS: {
    value: onOrOff.default("on"),
    docs: {
      default: "`on`",
      meaning: "`off`: clients cannot use [a metadata document](self-registration.md) as their id",
      example: "on",
    },
    console: {
      section: "registration",
      group: SELF_REGISTERED,
      label: "Client metadata documents",
      about: "Whether a client can use the URL of a document about itself as its client id.",
      input: SWITCH,
      changeable: true,
      show: ({ config }) => (config.clientMetadataDocuments ? "on" : "off"),
    },
  },
} as const satisfies SettingsTable<{ config: Config }>;

export const registrationVariables = shapeOf(REGISTRATION);

/** Who can register clients, besides admins. */
export function registrationSettings(given: z.output<z.ZodObject<typeof registrationVariables>>) {
  return {
    registration: given.GATEHOUSE_REGISTRATION,
    registrationSchemes: given.GATEHOUSE_REGISTRATION_SCHEMES,
    clientMetadataDocuments: given.GATEHOUSE_CLIENT_METADATA_DOCUMENTS === "on",
  };
}
