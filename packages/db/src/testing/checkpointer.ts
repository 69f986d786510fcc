import { keepCheckpointing } from "../sqlite/checkpoint.ts";

// A process of its own that does what the server's thread does, for the database named by its argument. Says when it begins, and
// passes each alarm on.
const say = (line: unknown) => process.stdout.write(`${line}\n`);
keepCheckpointing(process.argv[2] ?? "", say);
say("checkpointing");
