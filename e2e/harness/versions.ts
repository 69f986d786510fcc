// The versions that the sdk is tried with. PK-64: the peer ranges in its package.json begin at the lowest of them and end
// with the major version of the highest.

export type Versions = {
  node: string;
  typescript: string;
  next: string;
  react: string;
  trpc: string;
  express: string;
  hono: string;
  /** Libraries that these versions need beside them. */
  beside: Readonly<Record<string, string>>;
};

/** Three installations. A version with one or two numbers is the newest of that line. */
export const VERSIONS = {
  lowest: {
    node: "20.9.0",
    typescript: "5.7",
    next: "15.5.18",
    react: "18.2.0",
    trpc: "11.4.0",
    express: "4.17.0",
    hono: "4.0.0",
    beside: { "@types/react": "18.2", "@types/express": "4.17", "@hono/node-server": "1" },
  },
  between: {
    node: "22",
    typescript: "5",
    next: "16.2.6",
    react: "19.0.0",
    trpc: "11.8",
    express: "5.0.0",
    hono: "4.6",
    beside: { "@types/react": "19.0", "@types/express": "5", "@hono/node-server": "1" },
  },
  highest: {
    node: "24",
    typescript: "7",
    next: "16",
    react: "19",
    trpc: "11",
    express: "5",
    hono: "4",
    beside: { "@types/react": "19", "@types/express": "5", "@hono/node-server": "2" },
  },
} as const satisfies Record<string, Versions>;
