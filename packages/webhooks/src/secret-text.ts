import type { Adapter } from "./providers/adapter.ts";

type Provider = Pick<Adapter, "name" | "typedSecrets">;

/** White space that a secret cannot have. Only people type spaces; a line break or a tab comes from a paste. */
export function hasStraySpace(text: string, { typedSecrets = false }: Pick<Adapter, "typedSecrets">): boolean {
  return (typedSecrets ? /[^\S ]/ : /\s/).test(text);
}

/**
 * What else is copied from a vendor's page, a terminal or a file, and cannot be part of a secret that a provider made.
 */
const AROUND: readonly { pattern: RegExp; problem: string }[] = [
  {
    pattern: /^(export\s+)?[A-Z][A-Z0-9_]*=[^=]/,
    problem: "is a line of an environment file. Paste only what follows the equals sign",
  },
  { pattern: /^["'`“‘].*["'`”’]$/, problem: "has quotation marks around it. Paste it without them" },
  {
    pattern: /[•●*]{3}|…|\.\.\.$/,
    problem: "is masked or cut short. Reveal the whole secret at the provider, and copy that",
  },
];

/**
 * What is wrong with the text of a secret, before it is read as a key. In: the text without white space around it.
 * Continues "the secret"; undefined if nothing is.
 */
export function secretTextProblem(text: string, provider: Provider): string | undefined {
  if (/(whsec|whpk)_.*[\s,;|].*(whsec|whpk)_/.test(text))
    return "contains several secrets with white space or a sign between them. Add each by itself";
  if (/[\p{Cf}]|(?!\s)\p{Cc}/u.test(text)) return "contains a character that cannot be seen. Copy it again, or type it";
  if (/^[•●*]+$/.test(text)) return "is masked. Reveal it at the provider, and copy that";
  const around = provider.typedSecrets ? undefined : AROUND.find(({ pattern }) => pattern.test(text));
  if (around) return around.problem;
  if (!hasStraySpace(text, provider)) return undefined;
  return provider.typedSecrets
    ? "contains white space other than spaces, such as a line break. Paste it as one line"
    : `contains white space. Paste the signing secret as ${provider.name} shows it`;
}
