/** The path or URL `href` with this `environment=` in its query; unchanged without one, or if it names its own. */
export function withEnvironment(href: string, environment: string | undefined): string {
  const [path = "", text = ""] = href.split("?");
  const query = new URLSearchParams(text);
  if (environment === undefined || query.has("environment")) return href;
  query.set("environment", environment);
  return `${path}?${query}`;
}
