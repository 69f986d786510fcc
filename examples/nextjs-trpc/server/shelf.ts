export type Book = { id: string; title: string };
/** `goal`: how many books this user wants to read in a year. */
export type Shelf = { goal: number; books: Book[] };

export const MOST_BOOKS = 100;

/** In memory, for everything that Next loads into this process. A product has a database. */
const store = globalThis as typeof globalThis & { shelves?: Map<string, Shelf> };
store.shelves ??= new Map();
const { shelves } = store;

/** The shelf of a user. `userId` is null for a client without a user, which no session is. */
export function shelfOf(userId: string | null): Shelf {
  if (userId === null) throw new Error("a shelf belongs to a user");
  const shelf = shelves.get(userId) ?? { goal: 12, books: [] };
  shelves.set(userId, shelf);
  return shelf;
}
