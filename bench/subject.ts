/** Where a subject has what a workload asks for; a path it lacks is a workload it is not measured on. */
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
 * What can be put into a subject's database before a run, so that no workload needs a person who signs in. A visit to the
 * consent page is the query to ask it with, a space, and the cookie of who asks.
 */
export type Mintable = "code" | "accessToken" | "refreshToken" | "consentVisit";

/** A started server. */
export type Running = {
  /** The server's own process; its children count as its own. */
  pid: number;
  port: number;
  /** From the start of the process to its first answer. */
  startedInMs: number;
  mint(kind: Mintable, count: number): Promise<string[]>;
  stop(): Promise<void>;
};

/** One of those compared. */
export type Subject = {
  slug: string;
  title: string;
  version: string;
  /** What is on disk when an answer leaves. */
  durability: string;
  paths: Paths;
  /** More codes than a second of load can use up. */
  codesPerSecond: number;
  start(core: number): Promise<Running>;
};
