import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { variable } from "../env.ts";

/** Tokens of one server, as this user's command line keeps them. */
export type StoredTokens = {
  accessToken: string;
  refreshToken: string | undefined;
  /** Unix milliseconds. */
  expiresAt: number;
};

/** One file for each server, readable by its owner alone. */
function fileOf(server: string): string {
  const base = variable("XDG_CONFIG_HOME") || join(homedir(), ".config");
  return join(base, "gatehouse", `${encodeURIComponent(new URL(server).host)}.json`);
}

/** The tokens of an earlier sign-in; undefined if there are none that can be read. */
export function readTokens(server: string): StoredTokens | undefined {
  try {
    const stored: Partial<StoredTokens> = JSON.parse(readFileSync(fileOf(server), "utf8"));
    if (typeof stored.accessToken !== "string" || typeof stored.expiresAt !== "number") return undefined;
    return { accessToken: stored.accessToken, refreshToken: stored.refreshToken, expiresAt: stored.expiresAt };
  } catch {
    return undefined;
  }
}

export function writeTokens(server: string, tokens: StoredTokens): void {
  const file = fileOf(server);
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(tokens), { mode: 0o600 });
}

export function forgetTokens(server: string): void {
  rmSync(fileOf(server), { force: true });
}
