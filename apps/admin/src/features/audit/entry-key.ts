export type EntryKey = { number: number } | { id: string };

/** A row's number, or the id that stands for it until it is sealed. */
export const entryKeyOf = (text: string): EntryKey =>
  /^\d{1,15}$/.test(text) ? { number: Number(text) } : { id: text };
