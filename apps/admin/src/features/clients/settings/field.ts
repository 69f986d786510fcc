import type { UseFormReturnType } from "@mantine/form";
import type { ComponentType, ReactNode } from "react";
import type { ClientSettings, ClientType, Environment } from "@/trpc/types.ts";

export type Options = ClientSettings["options"];
export type SettingsForm = UseFormReturnType<ClientSettings>;
/** A setting, or an option as `options.<name>`: the path that the server's errors have. */
export type Path = Exclude<keyof ClientSettings, "options"> | `options.${keyof Options}`;

/** The client whose settings these are, with the values of the form. */
export type Place = { type: ClientType; environment: Environment; settings: ClientSettings };

export type Choice = { value: string; label: string };
export type EditProps = { form: SettingsForm; field: Field; place: Place };

type Kind =
  /** Stored only if it differs from the default. */
  | { kind: "switch"; default?: boolean }
  | { kind: "choice"; choices: (place: Place) => readonly Choice[]; unset: string }
  | { kind: "choices"; choices: (place: Place) => readonly Choice[]; unset: string }
  /** `default` in seconds; null if there is no limit. */
  | { kind: "seconds"; min: number; max?: (place: Place) => number; default: (place: Place) => number | null }
  | { kind: "uri"; placeholder: string; unset: string }
  | { kind: "keys" }
  | { kind: "own"; Edit: ComponentType<EditProps>; show: (place: Place) => ReactNode };

export type Field = Kind & {
  path: Path;
  label: string;
  /** What it does, its default, and when one wants it. */
  hint: string | ((place: Place) => string);
  /** False for clients that it means nothing to. */
  fits?: (place: Place) => boolean;
  /** Only admins can change it. */
  adminOnly?: boolean;
};

export type Section = {
  id: string;
  title: string;
  text: string;
  fields: readonly Field[];
  /** Folds the section. Says in a few words what applies, also what is the default. */
  summary?: (place: Place) => string;
};

const optionName = (path: Path) =>
  path.startsWith("options.") ? (path.slice("options.".length) as keyof Options) : undefined;

/** The value of a field; undefined for an option that is not set. */
export function valueAt(settings: ClientSettings, path: Path): unknown {
  const option = optionName(path);
  return option === undefined ? Reflect.get(settings, path) : settings.options[option];
}

/**
 * Changes a field; undefined removes an option, so that its default applies. Clears the errors that the field shows.
 */
export function setValue(form: SettingsForm, path: Path, value: unknown): void {
  const option = optionName(path);
  if (option === undefined) form.setFieldValue(path, value as never);
  else {
    const { [option]: _, ...rest } = form.getValues().options;
    form.setFieldValue("options", value === undefined ? rest : { ...rest, [option]: value });
  }
  for (const shown of Object.keys(form.errors)) if (isAt(shown, path)) form.clearFieldError(shown);
}

const isAt = (errorPath: string, path: Path) => errorPath === path || errorPath.startsWith(`${path}.`);

/** The first error of a field, or of one of its rows. */
export function errorAt(form: SettingsForm, path: Path): ReactNode {
  const found = Object.keys(form.errors).find((shown) => isAt(shown, path));
  return found === undefined ? undefined : form.errors[found];
}

/** The fields of a section to draw: those that fit the client, and those that are set or wrong although they don't. */
export function fieldsFor(section: Section, place: Place, errors: Readonly<Record<string, unknown>> = {}): Field[] {
  return section.fields.filter(
    ({ path, fits }) =>
      !fits ||
      fits(place) ||
      (path.startsWith("options.") && valueAt(place.settings, path) !== undefined) ||
      Object.keys(errors).some((shown) => isAt(shown, path)),
  );
}

/** The errors that fields show themselves. */
export function errorsShown(
  sections: readonly Section[],
  place: Place,
  errors: Readonly<Record<string, unknown>>,
): string[] {
  const paths = sections.flatMap((section) => fieldsFor(section, place, errors)).map(({ path }) => path);
  return Object.keys(errors).filter((shown) => paths.some((path) => isAt(shown, path)));
}

/** Whether two settings have the same value there. */
export const isSameAt = (path: Path, one: ClientSettings, other: ClientSettings): boolean =>
  JSON.stringify(valueAt(one, path)) === JSON.stringify(valueAt(other, path));

/** The labels of the fields in which two settings differ. */
export function changedLabels(sections: readonly Section[], before: ClientSettings, now: ClientSettings): string[] {
  return sections.flatMap(({ fields }) =>
    fields.filter(({ path }) => !isSameAt(path, before, now)).map(({ label }) => label),
  );
}

export const hintOf = ({ hint }: Field, place: Place): string => (typeof hint === "string" ? hint : hint(place));
