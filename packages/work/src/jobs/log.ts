/** Where failures are reported; a pino logger, for example. */
export type Log = Record<"warn" | "error", (fields: object, message: string) => void>;
