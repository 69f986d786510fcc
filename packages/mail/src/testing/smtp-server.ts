import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** What the server answers. A number is a reply code; without one it takes everything. */
export type Behaviour = {
  greeting?: number;
  signIn?: number;
  recipient?: number | ((address: string) => number | undefined);
  /** After the message: `close` the connection without a reply, or `hang`. */
  data?: number | "close" | "hang";
  hideStartTls?: boolean;
};

export type TestSmtpServer = {
  port: number;
  received: { raw: string; recipients: string[] }[];
  /** Changes what it answers from now on. */
  behave(behaviour: Behaviour): void;
  /** Resolves when a message hangs. */
  hanging: Promise<void>;
  close(): Promise<void>;
};

const refusal = (code: number) => Object.assign(new Error("refused by the test"), { responseCode: code });

/** A real SMTP server on a free loopback port, with a self-signed certificate. */
export async function startSmtpServer(first: Behaviour = {}): Promise<TestSmtpServer> {
  let behaviour = first;
  const received: TestSmtpServer["received"] = [];
  let hangs = () => {};
  const hanging = new Promise<void>((resolve) => {
    hangs = resolve;
  });
  const options: SMTPServerOptions = {
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: first.hideStartTls ?? false,
    onConnect: (_, done) => done(behaviour.greeting ? refusal(behaviour.greeting) : undefined),
    onAuth: ({ username }, _, done) =>
      behaviour.signIn ? done(refusal(behaviour.signIn)) : done(null, { user: username }),
    onRcptTo({ address }, _, done) {
      const code = typeof behaviour.recipient === "function" ? behaviour.recipient(address) : behaviour.recipient;
      done(code ? refusal(code) : undefined);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        if (typeof behaviour.data === "number") return done(refusal(behaviour.data));
        received.push({
          raw: Buffer.concat(chunks).toString(),
          recipients: session.envelope.rcptTo.map(({ address }) => address),
        });
        if (behaviour.data === "hang") return hangs();
        if (behaviour.data === "close") return closeConnection(server, session.id);
        return done();
      });
    },
  };
  const server = new SMTPServer({ ...options, logger: false });
  server.on("error", () => {}); // connections that a test breaks
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    hanging,
    behave(next) {
      behaviour = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function closeConnection(server: SMTPServer, id: string): void {
  for (const connection of server.connections as Set<{ id: string; _socket: { destroy(): void } }>) {
    if (connection.id === id) connection._socket.destroy();
  }
}
