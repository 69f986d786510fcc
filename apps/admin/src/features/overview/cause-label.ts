/** A cause of refusal as words: "redirect uri unregistered" for `redirect_uri_unregistered`. */
export function causeLabel(cause: string): string {
  const words = cause
    .replaceAll("_", " ")
    .replace(/\b(uri|pkce|dpop|csrf)\b/g, (name) => (name === "dpop" ? "DPoP" : name.toUpperCase()));
  return words.charAt(0).toUpperCase() + words.slice(1);
}
