type Variables = Record<string, string | undefined>;
type Ports = Record<string, string>;

/** Exits unless every port, by the name of its variable, is valid and free on both loopback addresses. */
export function requireFreePorts(ports: Ports, variables?: Variables): Promise<void>;

/** What to say of ports that are taken. `others`: free ports, by the name of their variable. */
export function explainTaken(taken: readonly string[], others: Ports, variables: Variables): string;

/** Free ports in place of these. */
export function otherPorts(ports: Ports): Promise<Ports>;

/** Whether this process could listen on all of them. */
export function portsAreFree(ports: Ports): Promise<boolean>;

/** The process that listens on the port, if this account may see that: its own processes, as a rule. */
export function holderOf(port: number): { pid: number; command: string } | undefined;
