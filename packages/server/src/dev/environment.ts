import { join } from "node:path";

/** What of the shell's environment the programs get; everything else may be the product's. */
const FROM_SHELL =
  /^(PATH|HOME|USER|LOGNAME|USERNAME|USERPROFILE|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|NO_COLOR|FORCE_COLOR|TERM|npm_lifecycle_event)$/i;

/** 3000 is where Next listens. PK-18 */
export const PORTS = { port: 3300, consolePort: 3301 };
/** Where the data is, below the project. */
export const DATA_FOLDER = ".gatehouse";

/** Where `gatehouse dev` keeps its data and listens. `folder` is absolute. */
export type Place = { folder: string; port: number; consolePort: number };

export const issuerOf = ({ port }: Pick<Place, "port">) => `http://localhost:${port}`;
export const consoleUrlOf = ({ consolePort }: Pick<Place, "consolePort">) => `http://localhost:${consolePort}`;

/**
 * The environment of the server and the console under `gatehouse dev`. Settings come from flags alone: variables of the
 * shell and files named .env belong to the product, whose DATABASE_URL is not ours. PK-18
 */
export function devEnvironment(
  place: Place,
  shell: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return {
    ...Object.fromEntries(Object.entries(shell).filter(([name]) => FROM_SHELL.test(name))),
    GATEHOUSE_ENV_FILE: "off",
    GATEHOUSE_DATA_DIR: place.folder,
    DATABASE_URL: `file:${join(place.folder, "gatehouse.db")}`,
    GATEHOUSE_ISSUER: issuerOf(place),
    GATEHOUSE_ADMIN_URL: consoleUrlOf(place),
    PORT: String(place.port),
    ADMIN_PORT: String(place.consolePort),
    LOG_LEVEL: "warn",
  };
}
