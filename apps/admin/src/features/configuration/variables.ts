/**
 * The names that a file takes from environment variables, as `{ "from_env": "NAME" }`, each once and in order. None of
 * text that is no JSON.
 */
export function variablesOf(text: string): string[] {
  const names = new Set<string>();
  try {
    JSON.parse(text, (_key, value: unknown) => {
      const name =
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Reflect.get(value, "from_env")
          : undefined;
      if (typeof name === "string" && Object.keys(value as object).length === 1) names.add(name);
      return value;
    });
  } catch {
    return [];
  }
  return [...names].toSorted();
}
