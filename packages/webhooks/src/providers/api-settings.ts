import { isUrl } from "@gatehouse/runtime";
import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { AdapterSettings } from "../endpoint.ts";
import type { SettingsField } from "./adapter.ts";

type Problems = readonly { path: string; message: string }[];

/** The setting that says where the provider's API is. Handlers and reconcilers read it. */
export function apiBaseUrl(url: string): SettingsField {
  return {
    name: "apiBaseUrl",
    label: "API address",
    help: `Where the provider's API is called with the endpoint's API key. Default: ${url}. Change it for a sandbox; the stored API keys then end, and you enter the sandbox's key.`,
    kind: "url",
    placeholder: url,
  };
}

/** https, or http to this machine while the server runs there too. */
export function apiBaseUrlProblems({ apiBaseUrl: value }: AdapterSettings): Problems {
  if (value === undefined) return [];
  const url = typeof value === "string" && isUrl(value) ? new URL(value) : undefined;
  const allowed = url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)));
  return allowed ? [] : [{ path: "apiBaseUrl", message: "must be an https URL, such as https://api.example.com" }];
}

/** A problem unless the setting is left out or text of this form. */
export function textProblems(settings: AdapterSettings, name: string, form: RegExp, message: string): Problems {
  const value = settings[name];
  return value === undefined || (typeof value === "string" && form.test(value)) ? [] : [{ path: name, message }];
}
