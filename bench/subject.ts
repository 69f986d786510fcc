/** The paths of a subject. A missing path means that the workload is not measured on it. */
export type Paths = Partial<Record<PathName, string>>;
export type PathName =
  | "token"
  | "introspection"
  | "resource"
  | "guard"
  | "webhook"
  | "metadata"
  | "signInPage"
  | "consentPage"
  | "noop"
  | "noopBehindProxy";

/**
 * Values that can be inserted into a subject's database before a run, so that no workload needs a sign-in. A visit to
 * the consent page is a query, a space, and a session cookie.
 */
export type Mintable = "code" | "accessToken" | "refreshToken" | "consentVisit";

/** A started server. */
export type Running = {
  /** The server's process; its children are included in the measurements. */
  pid: number;
  port: number;
  /** From the start of the process to its first response. */
  startedInMs: number;
  mint(kind: Mintable, count: number): Promise<string[]>;
  stop(): Promise<void>;
};

/** A server under comparison. */
export type Subject = {
  slug: string;
  title: string;
  version: string;
  /** What is on disk when a response leaves. */
  durability: string;
  /** Gatehouse itself. */
  isOwn?: true;
  paths: Paths;
  /** More codes than one second of load can use. */
  codesPerSecond: number;
  start(core: number): Promise<Running>;
};
