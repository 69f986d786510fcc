/** Where events are reported; a pino logger, for example. */
export type Log = Record<"info" | "warn" | "error", (fields: object, message: string) => void>;
