import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "@gatehouse/auth";
import { Command, Option } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { listedKeys, rotate } from "../keys.ts";
import { print } from "../output.ts";

type RotateOptions = { algorithm?: SigningAlgorithm; now?: boolean; distrust?: boolean };

/** `gatehouse keys list | rotate`. */
export function keysCommand(): Command {
  const keys = new Command("keys").description("Manage the keys that tokens are signed with");

  keys
    .command("list")
    .description("List the published keys and their state")
    .action(async () => print(await withInstallation(settings(), listedKeys)));

  keys
    .command("rotate")
    .summary("Publish the next signing key")
    .description(
      "Publish the next signing key. It starts signing a day later, when every cached copy of the key set has it.\n" +
        "Servers rotate their keys by themselves; use this after a key has leaked, or to test a client.",
    )
    .addOption(
      new Option("--algorithm <algorithm>", "rotate only this algorithm's key (default: all)").choices(
        SIGNING_ALGORITHMS,
      ),
    )
    .option("--now", "sign with the new key at once; tokens signed with the old key stay valid")
    .option(
      "--distrust",
      "sign with the new key at once and withdraw the old key: tokens signed with it are no longer valid",
    )
    .action(async ({ algorithm, now = false, distrust = false }: RotateOptions) => {
      const algorithms = algorithm === undefined ? SIGNING_ALGORITHMS : [algorithm];
      print(await withInstallation(settings(), (deps) => rotate({ algorithms, now, distrust }, deps)));
    });

  return keys;
}
