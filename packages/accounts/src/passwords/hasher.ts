import { subjectKey, type ThrottleKey } from "@gatehouse/runtime";
import { argon2Hash, isCurrentHash, NOBODYS_HASH } from "./argon2.ts";
import { MOST_PASSWORD_CHARACTERS, normalisePassword, passwordLength } from "./characters.ts";
import { HashFormatError, type StoredHash } from "./foreign-hashes/format.ts";
import { readPasswordHash } from "./foreign-hashes/read-hash.ts";
import { createHashQueue, type HashQueueLimits } from "./hash-queue.ts";

/**
 * `outdated`: right, but the hash should be replaced by one that `hash` makes now. Only if the old one proves the whole
 * password. PW-05.
 */
export type PasswordVerdict = "right" | "outdated" | "wrong";

/**
 * Hashes and checks passwords; the only thing that does. Both throw a 503 while too many are waiting. `asker`: whose
 * turn it takes, which is the network of a stranger, or the account of somebody known; by default the team, for what
 * operators do. PW-06.
 */
export type PasswordHasher = {
  /** An argon2id hash in PHC format. The password must not be longer than 256 code points. */
  hash(password: string, asker?: ThrottleKey): Promise<string>;
  /**
   * Checks a password against a stored hash. Without a hash the answer is `wrong` and takes as long; a hash that is
   * cheaper than new ones takes at least as long, so only an imported, costlier one can be told by its time. PW-07,
   * AB-04.
   */
  verify(hash: string | null | undefined, password: string, asker?: ThrottleKey): Promise<PasswordVerdict>;
  /**
   * Throws the same 503 if there is no place for a password of this asker now. Call it before what costs a write: most
   * of a flood ends here.
   */
  demandPlace(asker: ThrottleKey): void;
};

const TEAM = subjectKey("everybody");

/** One per process, since it limits how much of the process's memory and threads passwords use. PW-06. */
export function createPasswordHasher(limits: HashQueueLimits): PasswordHasher {
  const queue = createHashQueue(limits);
  return {
    demandPlace: queue.demandPlace,
    hash: (password, asker = TEAM) => queue.run(() => argon2Hash(normalisePassword(password)), asker),
    async verify(hash, password, asker = TEAM) {
      if (passwordLength(password) > MOST_PASSWORD_CHARACTERS) return "wrong"; // no password is that long
      const stored = hash == null ? undefined : readable(hash);
      const current = hash != null && stored !== undefined && isCurrentHash(hash);
      // In parallel, with its own permit: in sequence, a known account would take longer than an unknown one.
      const floor =
        stored && !current ? queue.run(() => nobody().matches(normalisePassword(password)), asker) : undefined;
      const [verdict] = await Promise.all([queue.run(() => compare(stored, current, password), asker), floor]);
      return verdict;
    },
  };
}

const nobody = () => readPasswordHash(NOBODYS_HASH);

async function compare(stored: StoredHash | undefined, current: boolean, password: string): Promise<PasswordVerdict> {
  const { matches, provesAllOf } = stored ?? nobody();
  const rightAs = (spelling: string, upToDate: boolean): PasswordVerdict => {
    if (!stored) return "wrong";
    return upToDate || !provesAllOf(spelling) ? "right" : "outdated";
  };
  const normal = normalisePassword(password);
  if (await matches(normal)) return rightAs(normal, current);
  // PW-02: older hashes are of the password as it was typed.
  if (normal !== password && (await matches(password))) return rightAs(password, false);
  return "wrong";
}

/** Undefined for a hash that is not well formed, or would cost too much memory or time. UM-07. */
function readable(hash: string): StoredHash | undefined {
  try {
    return readPasswordHash(hash);
  } catch (error) {
    if (error instanceof HashFormatError) return undefined;
    throw error;
  }
}
