import type { AdapterSettings } from "../endpoint.ts";
import type { HmacAlgorithm } from "./adapter.ts";

/** A signature scheme as data: the settings of an endpoint of the provider `custom`. */
export type CustomScheme = {
  /** The header with the signature, in lower case. */
  header: string;
  algorithm: HmacAlgorithm | "ed25519";
  encoding: "hex" | "base64";
  /** How the secret stands for the key: its own UTF-8 bytes, or decoded. */
  secretEncoding: "text" | "hex" | "base64";
  /** The signed bytes: literal text and the placeholders, in order. */
  template: readonly TemplatePart[];
  /** Text in front of each signature, such as `sha256=`. Empty if there is none. */
  prefix: string;
  /** Between several signatures in the header; null if it holds one. */
  separator: "," | ";" | " " | null;
  timestampHeader: string | null;
  /** Text in front of the timestamp where it is an entry of the signature header, such as `t=`. */
  timestampPrefix: string | null;
  timestampUnit: "s" | "ms";
  idHeader: string | null;
  typeHeader: string | null;
  /** Names on the way to the value in the JSON body; null if it is not there. */
  idPath: readonly string[] | null;
  typePath: readonly string[] | null;
  objectPath: readonly string[] | null;
};

type TemplatePart = { text: string } | { placeholder: Placeholder };

const PLACEHOLDERS = ["id", "timestamp", "body", "url"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

export type SettingsProblem = { path: string; message: string };

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,80}$/;
/** Headers that would end up in the log without their value, or that the connection changes. */
const UNUSABLE_HEADER = /^(?:authorization|proxy-authorization|cookie|host|connection|content-.*|transfer-encoding)$/;

const FIELDS = {
  header: header(),
  algorithm: choice(["hmac-sha256", "hmac-sha1", "hmac-sha512", "ed25519"]),
  encoding: choice(["hex", "base64"]),
  secretEncoding: choice(["text", "hex", "base64"]),
  template: text(500),
  prefix: text(40),
  separator: choice([",", ";", " "]),
  timestampHeader: header(),
  timestampPrefix: text(40),
  timestampUnit: choice(["s", "ms"]),
  toleranceSeconds: tolerance(),
  idHeader: header(),
  typeHeader: header(),
  idPath: path(),
  typePath: path(),
  objectPath: path(),
} satisfies Record<string, Check>;

/** Returns what is wrong with a value, or undefined. */
type Check = (value: unknown) => string | undefined;

/** Every problem with the settings; empty if {@link customSchemeOf} accepts them. Messages continue the name of the field. */
export function customSchemeProblems(settings: AdapterSettings): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  for (const [name, value] of Object.entries(settings)) {
    if (value === null || value === undefined) continue;
    const check: Check | undefined = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : undefined;
    const message = check ? check(value) : `is not a setting. Settings are ${Object.keys(FIELDS).join(", ")}`;
    if (message !== undefined) problems.push({ path: name, message });
  }
  if (settings["header"] === undefined || settings["header"] === null) {
    problems.push({ path: "header", message: "is required. Enter the name of the header with the signature" });
  }
  return problems.length > 0 ? problems : templateProblems(settings);
}

/** What a template must have for one signature to stand for one message only. */
function templateProblems(settings: AdapterSettings): SettingsProblem[] {
  const problem = (message: string, path = "template") => [{ path, message }];
  const parts = parseTemplate(templateOf(settings));
  const names = parts.flatMap((part) => ("placeholder" in part ? [part.placeholder] : []));
  const unknown = parts.find((part) => "text" in part && /[{}]/.test(part.text));
  if (unknown) return problem(`has an unknown placeholder. Use ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}`);
  if (names.filter((name) => name === "body").length !== 1) return problem("must contain {body} once");
  const repeated = PLACEHOLDERS.find((name) => names.filter((other) => other === name).length > 1);
  if (repeated) return problem(`contains {${repeated}} more than once`);
  const [timeHeader, timePrefix] = [textOf(settings, "timestampHeader"), textOf(settings, "timestampPrefix")];
  if (timeHeader && timePrefix) return problem("cannot be combined with timestampHeader", "timestampPrefix");
  if (timePrefix && !textOf(settings, "separator")) return problem("is required with timestampPrefix", "separator");
  const hasTime = timeHeader !== undefined || timePrefix !== undefined;
  if (names.includes("timestamp") && !hasTime)
    return problem("is required, because the template contains {timestamp}", "timestampHeader");
  if (hasTime && !names.includes("timestamp"))
    return problem("must contain {timestamp}. A timestamp that is not signed proves nothing");
  if (names.includes("id") && !textOf(settings, "idHeader")) {
    return problem("is required, because the template contains {id}", "idHeader");
  }
  const at = parts.findIndex((part) => "placeholder" in part && part.placeholder === "id");
  const beside = [parts[at - 1], parts[at + 1]].some((part) => part !== undefined && "placeholder" in part);
  if (at >= 0 && beside) return problem("needs text between {id} and the next placeholder, such as a dot");
  return [];
}

const compiled = new WeakMap<AdapterSettings, { scheme: CustomScheme | undefined }>();

/** The scheme in the settings of an endpoint, or undefined if they are not valid. Reads each settings object once. */
export function customSchemeOf(settings: AdapterSettings): CustomScheme | undefined {
  let known = compiled.get(settings);
  if (!known) {
    known = { scheme: customSchemeProblems(settings).length === 0 ? compile(settings) : undefined };
    compiled.set(settings, known);
  }
  return known.scheme;
}

function compile(settings: AdapterSettings): CustomScheme {
  const lower = (name: string) => textOf(settings, name)?.toLowerCase() ?? null;
  const names = (name: string) => textOf(settings, name)?.split(".") ?? null;
  return {
    header: lower("header") ?? "",
    algorithm: (textOf(settings, "algorithm") ?? "hmac-sha256") as CustomScheme["algorithm"],
    encoding: (textOf(settings, "encoding") ?? "hex") as CustomScheme["encoding"],
    secretEncoding: (textOf(settings, "secretEncoding") ?? "text") as CustomScheme["secretEncoding"],
    template: parseTemplate(templateOf(settings)),
    prefix: textOf(settings, "prefix") ?? "",
    separator: (textOf(settings, "separator") ?? null) as CustomScheme["separator"],
    timestampHeader: lower("timestampHeader"),
    timestampPrefix: textOf(settings, "timestampPrefix") ?? null,
    timestampUnit: textOf(settings, "timestampUnit") === "ms" ? "ms" : "s",
    idHeader: lower("idHeader"),
    typeHeader: lower("typeHeader"),
    idPath: names("idPath"),
    typePath: names("typePath"),
    objectPath: names("objectPath"),
  };
}

const templateOf = (settings: AdapterSettings) => textOf(settings, "template") ?? "{body}";

function textOf(settings: AdapterSettings, name: string): string | undefined {
  const value = settings[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function parseTemplate(template: string): TemplatePart[] {
  const pieces = template.split(/\{(id|timestamp|body|url)\}/);
  return pieces.flatMap((piece, at): TemplatePart[] => {
    if (at % 2 === 1) return [{ placeholder: piece as Placeholder }];
    return piece === "" ? [] : [{ text: piece }];
  });
}

function header(): Check {
  return (value) => {
    if (typeof value !== "string" || !HEADER_NAME.test(value.toLowerCase())) return "is not the name of a header";
    return UNUSABLE_HEADER.test(value.toLowerCase()) ? "cannot be this header" : undefined;
  };
}

function choice(allowed: readonly string[]): Check {
  const list = allowed.map((one) => JSON.stringify(one)).join(", ");
  return (value) => (typeof value === "string" && allowed.includes(value) ? undefined : `must be one of ${list}`);
}

function text(maxLength: number): Check {
  const message = `must be text of at most ${maxLength} characters without line breaks`;
  return (value) =>
    typeof value === "string" && value.length <= maxLength && !/[\r\n\0]/.test(value) ? undefined : message;
}

function path(): Check {
  const message = 'must be names separated by dots, such as "data.id"';
  return (value) =>
    typeof value === "string" && /^[^.\s]{1,80}(?:\.[^.\s]{1,80}){0,9}$/.test(value) ? undefined : message;
}

function tolerance(): Check {
  return (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 86_400 ? undefined : "must be 1 to 86400 seconds";
}
