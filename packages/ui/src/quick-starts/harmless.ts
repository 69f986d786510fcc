/** Characters that are harmless inside every kind of quotes in the files, shell included. */
const HARMLESS = /^[\w\-.~:/?#[\]@!&()*+,;=% ]*$/;

/** A value for a file of a quick start. One with quotes or shell syntax is replaced by the text "replace-this". */
export const harmless = (value: string): string => (HARMLESS.test(value) ? value : "replace-this");
