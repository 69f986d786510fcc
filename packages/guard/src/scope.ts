/** The tokens of a space-separated list, which may be empty. */
export function scopeTokens(scope: string): string[] {
  return scope.split(" ").filter((token) => token !== "");
}

/** Is every token of `asked` also in `held`? Both are space-separated. No scope implies another. */
export function isSubsetScope(asked: string, held: string): boolean {
  if (asked === held) return true;
  const tokens = new Set(scopeTokens(held));
  return scopeTokens(asked).every((token) => tokens.has(token));
}
