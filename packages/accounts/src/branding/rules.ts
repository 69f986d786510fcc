import { isUrl } from "@gatehouse/runtime";
import type { BrandingSettings } from "../store/branding.ts";

type Problem = { path: keyof BrandingSettings; message: string };

const LINKS = ["termsUrl", "privacyUrl", "supportUrl"] as const;

/** What is wrong with the branding of an application. BD-01. */
export function brandingProblems(settings: BrandingSettings): Problem[] {
  const problems: Problem[] = [];
  const { displayName, colour } = settings;
  if (displayName !== undefined && !/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,80}$/u.test(displayName)) {
    problems.push({ path: "displayName", message: "must be one line of 1 to 80 characters" });
  }
  if (colour !== undefined && !/^#[0-9a-f]{6}$/.test(colour))
    problems.push({ path: "colour", message: "must be a colour like #4f46e5" });
  for (const path of LINKS) {
    if (settings[path] !== undefined && !isHttpsUrl(settings[path]))
      problems.push({ path, message: "must be a URL that starts with https://" });
  }
  return problems;
}

function isHttpsUrl(text: string): boolean {
  if (text.length > 500 || !isUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === "https:" && username === "" && password === "";
}
