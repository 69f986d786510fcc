import { keepCheckpointing } from "../sqlite/checkpoint.ts";

// Does the work of the server's checkpoint thread in a process of its own, for the database named by its argument.
// Prints a line when it starts, and one for each alarm.
const say = (line: unknown) => process.stdout.write(`${line}\n`);
keepCheckpointing(process.argv[2] ?? "", say);
say("checkpointing");
