import { parseEnv } from "@gatehouse/runtime/env-file";

export const ENV_FILE = ".env.local";

/** The variables of a product. PK-11 */
export type ProductVariables = {
  GATEHOUSE_ISSUER: string;
  GATEHOUSE_CLIENT_ID: string;
  GATEHOUSE_CLIENT_SECRET: string;
  GATEHOUSE_APP_URL: string;
};

/** The file with the variables that it lacks. What it sets already stays. */
export function envFileWith(text: string | undefined, variables: ProductVariables): string {
  const set = parseEnv(text ?? "");
  const missing = Object.entries(variables).filter(([name]) => !set[name]);
  if (missing.length === 0) return text ?? "";
  return appended(text, `${missing.map(([name, value]) => `${name}=${value}`).join("\n")}\n`);
}

/** A text with lines after it, which begin on a line of their own. */
function appended(text: string | undefined, lines: string): string {
  if (text === undefined || text === "") return lines.replace(/^\n/, "");
  return `${text}${text.endsWith("\n") ? "" : "\n"}${lines}`;
}

/** A `.gitignore` that leaves out the development data and the secrets. PK-20 */
export function gitignoreWith(text: string | undefined): string {
  const lines = (text ?? "").split(/\r?\n/).map((line) => line.trim());
  const missing = [
    ...(lines.some((line) => /^\/?\.gatehouse\/?$/.test(line)) ? [] : [".gatehouse/"]),
    ...(lines.some((line) => ["*.local", ".env*", ".env.*", ".env*.local", ".env.local", "/.env.local"].includes(line))
      ? []
      : [ENV_FILE]),
  ];
  return missing.length === 0 ? (text ?? "") : appended(text, `${missing.join("\n")}\n`);
}
