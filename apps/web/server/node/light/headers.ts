type Fields = Record<string, string | string[] | undefined>;

/** Characters that the standard class rejects in a value and in a name. RFC 9110 §5.1, §5.5. */
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Names that were checked, in lower case: our responses use a few dozen. */
const checkedNames = new Map<string, string>();
const MAX_CHECKED_NAMES = 200;

/** The fields of frozen objects, which are checked once: constants of the modules that respond with them. */
const checkedInits = new WeakMap<object, Record<string, string>>();

/** A cookie is of one response, and so is a length. */
function isShareable(fields: Fields): fields is Record<string, string> {
  return fields["set-cookie"] === undefined && fields["content-length"] === undefined;
}

function checkName(name: string): string {
  let lower = checkedNames.get(name);
  if (lower === undefined) {
    if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a header name`);
    lower = name.toLowerCase();
    if (checkedNames.size < MAX_CHECKED_NAMES) checkedNames.set(name, lower);
  }
  return lower;
}

function checkValue(name: string, value: string): string {
  if (NOT_IN_VALUE.test(value)) throw new TypeError(`the header ${name} has a forbidden character`);
  const hasSpace = value.charCodeAt(0) <= 0x20 || value.charCodeAt(value.length - 1) <= 0x20;
  return hasSpace ? trimmed(value) : value;
}

/** Without the tabs and spaces around it. Not by a pattern: one that ends in `$` is tried at every space. */
function trimmed(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && value.charCodeAt(start) <= 0x20) start++;
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end--;
  return value.slice(start, end);
}

/** `Headers` on top of the plain object that Node reads and writes: names in lower case, `set-cookie` as an array. */
export class LightHeaders
  implements Pick<Headers, "get" | "has" | "set" | "append" | "delete" | "getSetCookie" | "forEach">
{
  #fields: Fields;
  #shared: Readonly<Record<string, string>> | undefined;

  /** `shared`: the fields are those of a frozen object, and are copied before they change. */
  constructor(fields: Fields, shared?: Readonly<Record<string, string>>) {
    this.#fields = fields;
    this.#shared = shared;
  }

  /** To be changed: they are no longer shared. */
  get fields(): Fields {
    if (this.#shared) {
      this.#fields = { ...this.#shared };
      this.#shared = undefined;
    }
    return this.#fields;
  }

  /** The fields of a frozen object, if nothing has changed them: the same object each time. */
  get shared(): Readonly<Record<string, string>> | undefined {
    return this.#shared;
  }

  /** Takes what `new Headers()` takes. */
  static from(init: HeadersInit | LightHeaders | undefined): LightHeaders {
    if (init === undefined) return new LightHeaders({});
    const checked = checkedInits.get(init);
    if (checked) return new LightHeaders(checked, checked);
    const headers = new LightHeaders({});
    if (Symbol.iterator in init) for (const [name = "", value = ""] of init) headers.append(name, value);
    else {
      for (const name in init) headers.set(name, init[name] ?? "");
      if (Object.isFrozen(init) && isShareable(headers.fields)) checkedInits.set(init, { ...headers.fields });
    }
    return headers;
  }

  get(name: string): string | null {
    const value = this.#fields[name.toLowerCase()];
    if (typeof value === "string") return value;
    return value === undefined ? null : value.join(", ");
  }

  has(name: string): boolean {
    return this.#fields[name.toLowerCase()] !== undefined;
  }

  set(name: string, value: string): void {
    const key = checkName(name);
    const checked = checkValue(name, value);
    this.fields[key] = key === "set-cookie" ? [checked] : checked;
  }

  append(name: string, value: string): void {
    const key = checkName(name);
    const before = this.fields[key];
    if (before === undefined) this.set(name, value);
    else if (typeof before === "string") this.fields[key] = `${before}, ${checkValue(name, value)}`;
    else before.push(checkValue(name, value));
  }

  delete(name: string): void {
    delete this.fields[name.toLowerCase()];
  }

  getSetCookie(): string[] {
    const value = this.#fields["set-cookie"];
    if (value === undefined) return [];
    return typeof value === "string" ? [value] : [...value];
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

  /** Sorted by name, as in the standard class. */
  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.#fields).sort()) {
      const value = this.#fields[name];
      if (typeof value === "string") yield [name, value];
      else for (const one of value ?? []) yield [name, one];
    }
  }
}
