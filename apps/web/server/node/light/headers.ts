type Fields = Record<string, string | string[] | undefined>;

/** Characters that header values must not contain, as in the standard class. RFC 9110 §5.5. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

const lowered = new Map<string, string>();

/** Caches the few dozen header names that our responses use. */
function lowerCase(name: string): string {
  let lower = lowered.get(name);
  if (lower === undefined) {
    lower = name.toLowerCase();
    if (lowered.size < 200) lowered.set(name, lower);
  }
  return lower;
}

/** `Headers` over the plain object that Node reads and writes: names in lower case, `set-cookie` as a list. */
export class LightHeaders implements Pick<Headers, "get" | "has" | "set" | "append" | "delete" | "getSetCookie" | "forEach"> {
  readonly fields: Fields;

  constructor(fields: Fields) {
    this.fields = fields;
  }

  /** Takes what `new Headers()` takes. */
  static from(init: HeadersInit | LightHeaders | undefined): LightHeaders {
    const headers = new LightHeaders({});
    if (init === undefined) return headers;
    if (Symbol.iterator in init) for (const [name = "", value = ""] of init) headers.append(name, value);
    else for (const name in init) headers.set(name, init[name] ?? "");
    return headers;
  }

  get(name: string): string | null {
    const value = this.fields[name.toLowerCase()];
    if (typeof value === "string") return value;
    return value === undefined ? null : value.join(", ");
  }

  has(name: string): boolean {
    return this.fields[name.toLowerCase()] !== undefined;
  }

  set(name: string, value: string): void {
    if (FORBIDDEN.test(value)) throw new TypeError(`the header ${name} has a forbidden character`);
    const key = lowerCase(name);
    this.fields[key] = key === "set-cookie" ? [value] : value;
  }

  append(name: string, value: string): void {
    const before = this.fields[name.toLowerCase()];
    if (before === undefined) this.set(name, value);
    else if (typeof before === "string") this.set(name, `${before}, ${value}`);
    else before.push(value);
  }

  delete(name: string): void {
    delete this.fields[name.toLowerCase()];
  }

  getSetCookie(): string[] {
    return [this.fields["set-cookie"] ?? []].flat();
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) visit(value, name, this as unknown as Headers);
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  entries(): IterableIterator<[string, string]> {
    return this[Symbol.iterator]();
  }

  /** Sorted by name, like the standard class. */
  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.fields).sort()) {
      const value = this.fields[name];
      if (typeof value === "string") yield [name, value];
      else for (const one of value ?? []) yield [name, one];
    }
  }
}
