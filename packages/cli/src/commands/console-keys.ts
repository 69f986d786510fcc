import { consoleClientSecret, consoleCookieKey } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";

/** `gatehouse console-keys`. */
export function consoleKeysCommand(): Command {
  return new Command("console-keys")
    .description("Print the environment of a console on another machine, which then does not need GATEHOUSE_SECRET")
    .action(() => {
      const { config, adminUrl, secret, previousSecrets } = settings();
      const cookieKeys = [secret, ...previousSecrets].map(consoleCookieKey);
      console.log(`GATEHOUSE_ISSUER=${config.issuer}
GATEHOUSE_ADMIN_URL=${adminUrl}
GATEHOUSE_CONSOLE_CLIENT_SECRET=${consoleClientSecret(secret)}
GATEHOUSE_CONSOLE_COOKIE_KEY=${cookieKeys.join(",")}`);
    });
}
