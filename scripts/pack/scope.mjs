// PK-09: the npm scope of the published packages, applied when they are packed. The sources always say @gatehouse.

/** Where the packages are published. */
export const SCOPE = "@gatehouse";

/** The scope in the sources. */
export const SOURCE_SCOPE = "@gatehouse";

/** The packages that are published, without the scope, as patterns. PK-08 */
export const PUBLISHED = ["sdk", "server", "sqlite-.*"];
