/** Of name and value. Browsers drop a cookie over 4,096 bytes with its attributes. PK-29. */
export const MAX_COOKIE_BYTES = 3800;
export const MAX_CHUNKS = 4;
/** In front of each chunk: the count, a dot, a tag of eight characters, a dot. */
const PREFIX_LENGTH = 11;
const CHUNK = /^([2-4])\.([\w-]{8})\.([\w.-]+)$/;

/** The name of a chunk; the first has the name of the cookie. */
export const chunkName = (name: string, index: number) => (index === 0 ? name : `${name}.${index}`);

/**
 * The cookies that hold a value, as name and value; undefined if four are not enough. Each chunk of a longer value has
 * their count and a `tag` of eight random characters, so that chunks of different values are never joined. PK-29.
 */
export function splitValue(name: string, value: string, tag: string): [name: string, value: string][] | undefined {
  if (name.length + 1 + value.length <= MAX_COOKIE_BYTES) return [[name, value]];
  const room = MAX_COOKIE_BYTES - chunkName(name, MAX_CHUNKS).length - 1 - PREFIX_LENGTH;
  const count = Math.ceil(value.length / room);
  if (count > MAX_CHUNKS) return undefined;
  return Array.from({ length: count }, (_, index) => [
    chunkName(name, index),
    `${count}.${tag}.${value.slice(index * room, (index + 1) * room)}`,
  ]);
}

/** The value that the cookies hold; undefined if a chunk is missing or belongs to another value. PK-29. */
export function joinValue(name: string, cookies: ReadonlyMap<string, string>): string | undefined {
  const first = cookies.get(name);
  if (first === undefined) return undefined;
  const [, count, tag] = CHUNK.exec(first) ?? [];
  if (count === undefined) return first;
  let value = "";
  for (let index = 0; index < Number(count); index++) {
    const chunk = CHUNK.exec(cookies.get(chunkName(name, index)) ?? "");
    if (!chunk || chunk[1] !== count || chunk[2] !== tag) return undefined;
    value += chunk[3];
  }
  return value;
}
