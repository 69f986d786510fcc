import { isUrl } from "@gatehouse/runtime";
import type { Finding, Variant } from "./finding.ts";

/** `hosts` are those that the request named; `hasSetting` tells whether the signed URL can be set for the endpoint. */
type Signed = { url: string; hosts: readonly string[]; hasSetting: boolean };

/** URLs that could be entered at the sender instead of this one. */
export function urlVariants({ url, hosts, hasSetting }: Signed): Variant<string>[] {
  if (!isUrl(url)) return [];
  const { protocol, host, pathname } = new URL(url);
  const otherProtocol = protocol === "https:" ? "http:" : "https:";
  const otherPath = pathname.endsWith("/") ? pathname.slice(0, -1) : `${pathname}/`;
  const allHosts = [
    host,
    host.startsWith("www.") ? host.slice(4) : `www.${host}`,
    host.replace(/:\d+$/, ""),
    ...hosts.map(hostOf),
  ];

  const seen = new Set([url]);
  const variants: Variant<string>[] = [];
  for (const otherHost of allHosts.slice(0, 6)) {
    for (const path of [pathname, otherPath]) {
      for (const scheme of [protocol, otherProtocol]) {
        const value = `${scheme}//${otherHost}${path}`;
        if (seen.has(value)) continue;
        seen.add(value);
        variants.push({ value, finding: findingOf(value, url, hasSetting) });
      }
    }
  }
  return variants;
}

const hostOf = (header: string) => header.split(",", 1)[0]?.trim().toLowerCase().slice(0, 255) ?? "";

function findingOf(value: string, url: string, hasSetting: boolean): Finding {
  return {
    kind: "url_variant",
    sentence: `The sender signed the URL ${value}, and this endpoint expects ${url}.`,
    fix: `Enter ${url} at the sender${hasSetting ? `, or set the endpoint's notification URL to ${value}` : ""}.`,
  };
}
