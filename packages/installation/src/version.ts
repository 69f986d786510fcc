/** The version of this program: the same as in every package.json, which a test compares. */
export const VERSION = "0.1.0";
