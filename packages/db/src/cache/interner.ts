const MAX_STRINGS = 1000;

/**
 * Returns an equal string each time, the same one for as long as it is remembered: so rows that say the same share its
 * memory.
 */
export function createInterner(): <Text extends string>(text: Text) => Text {
  const known = new Map<string, string>();
  return <Text extends string>(text: Text) => {
    const first = known.get(text);
    if (first !== undefined) return first as Text;
    if (known.size >= MAX_STRINGS) known.clear();
    known.set(text, text);
    return text;
  };
}
