import type { SignInPreset, SignInProvider } from "@/trpc/types.ts";

/** The fields of the form. Lists have one entry per line. */
export type ProviderValues = {
  name: string;
  issuer: string;
  clientId: string;
  secret: string;
  tenants: string;
  teamId: string;
  keyId: string;
  trustEmail: boolean;
  domains: string;
  link: "ask" | "verified";
  signUp: boolean;
  scopes: string;
  trustAcr: string;
  logout: "off" | "id_token_hint" | "client_id";
  allowPrivateNetwork: boolean;
};

/** "12", or "1,000+" where counting ends. */
export const userCount = ({ users, moreUsers }: Pick<SignInProvider, "users" | "moreUsers">): string =>
  `${users.toLocaleString("en")}${moreUsers ? "+" : ""}`;

type Settings = SignInProvider["settings"];

/** The values of a provider's form; of a new one without `provider`. */
export function valuesOf(preset: SignInPreset | undefined, provider?: SignInProvider): ProviderValues {
  const settings: Settings = provider?.settings ?? {};
  return {
    name: provider?.name ?? preset?.name ?? "",
    issuer: provider?.issuer ?? "",
    clientId: provider?.clientId ?? "",
    secret: "",
    tenants: (settings.tenants ?? []).join("\n"),
    teamId: settings.teamId ?? "",
    keyId: settings.keyId ?? "",
    trustEmail: settings.trustEmail ?? false,
    domains: (settings.domains ?? []).join("\n"),
    link: settings.link ?? "ask",
    signUp: settings.signUp ?? true,
    scopes: (settings.scopes ?? []).join(" "),
    trustAcr: Object.entries(settings.trustAcr ?? {})
      .map(([value, level]) => `${value} = ${level}`)
      .join("\n"),
    logout: settings.logout ?? "off",
    allowPrivateNetwork: settings.allowPrivateNetwork ?? false,
  };
}

/**
 * What the server takes. Members with their default are left out, except those that the form does not show: they stay.
 */
export function inputFrom(values: ProviderValues, preset: SignInPreset, before: Settings = {}) {
  const has = (field: SignInPreset["fields"][number]) => preset.fields.includes(field);
  const [domains, tenants, scopes] = [entriesOf(values.domains), entriesOf(values.tenants), entriesOf(values.scopes)];
  const trustAcr = Object.fromEntries(
    values.trustAcr.split("\n").flatMap((line) => {
      const [value = "", level = ""] = line.split("=").map((part) => part.trim());
      return value === "" ? [] : [[value, level]];
    }),
  );
  const settings: Settings = {
    ...(before.clientAuthentication !== undefined && { clientAuthentication: before.clientAuthentication }),
    ...(domains.length > 0 && { domains }),
    ...(scopes.length > 0 && { scopes }),
    ...(Object.keys(trustAcr).length > 0 && { trustAcr }),
    ...(values.link !== "ask" && { link: values.link }),
    ...(!values.signUp && { signUp: false }),
    ...(values.logout !== "off" && { logout: values.logout }),
    ...(values.allowPrivateNetwork && { allowPrivateNetwork: true }),
    ...(has("tenants") && { tenants }),
    ...(has("teamId") && { teamId: values.teamId.trim(), keyId: values.keyId.trim() }),
    ...(has("trustEmail") && values.trustEmail && { trustEmail: true }),
  };
  const issuer = has("issuer") && values.issuer.trim() !== "" ? values.issuer.trim() : null;
  return { name: values.name, issuer, clientId: values.clientId, settings };
}

const entriesOf = (text: string) => text.split(/[\s,]+/).filter((entry) => entry !== "");

/**
 * What a save sends, setting by setting, so that each can be compared with somebody else's; null for what is left out.
 */
export type ComparedProvider = Record<string, unknown> & Pick<ProviderInput, "name" | "issuer" | "clientId">;
type ProviderInput = ReturnType<typeof inputFrom>;

/** The settings that a form can have, with their labels. */
const LABELS: Readonly<Record<string, string>> = {
  name: "Name",
  issuer: "Issuer",
  clientId: "Client ID",
  tenants: "Tenant IDs",
  teamId: "Team ID",
  keyId: "Key ID",
  trustEmail: "Trust verified addresses",
  domains: "Domains",
  link: "An account with the same verified address",
  signUp: "New users get an account",
  scopes: "Scopes",
  trustAcr: "Trusted levels",
  logout: "Signing out",
  allowPrivateNetwork: "Allow private network",
  clientAuthentication: "Client authentication",
};

/** The label of a setting: as the provider's own pages call it, if they have it. */
export const labelOf = (preset: SignInPreset, field: string): string => preset.names[field] ?? LABELS[field] ?? field;

export function comparedFrom({ settings, ...input }: ProviderInput): ComparedProvider {
  const none = Object.fromEntries(Object.keys(LABELS).map((field) => [field, null]));
  return { ...none, ...input, ...settings };
}

/** The reverse. */
export function inputOf({ name, issuer, clientId, ...settings }: ComparedProvider): ProviderInput {
  const given = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined);
  return { name, issuer, clientId, settings: Object.fromEntries(given) };
}
