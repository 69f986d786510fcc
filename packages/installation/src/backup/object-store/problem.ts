import { BackupError } from "../error.ts";

/** What the AWS SDK throws. Every store has the status; the names are those of Amazon S3, or the store's own. */
type Thrown = { name?: string; code?: string; message?: string; $metadata?: { httpStatusCode?: number } };

const NO_ROOM = /storage|quota|capacity|disk.?full/i;
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH)$/;

/** Says what the store refused, and what to mend. `place`: the bucket or object, for people. */
export function storeProblem(cause: unknown, place: string, endpoint: string | undefined): BackupError {
  const { name = "", code = "", message = "", $metadata } = cause as Thrown;
  const status = $metadata?.httpStatusCode;
  return new BackupError([`${place}: ${sentenceOf({ name, code, message, status, endpoint })}`], 1, { cause });
}

function sentenceOf({
  name,
  code,
  message,
  status,
  endpoint,
}: Required<Pick<Thrown, "name" | "code" | "message">> & { status: number | undefined; endpoint: string | undefined }) {
  if (name === "NoSuchBucket") return "there is no such bucket. Create it, or mend GATEHOUSE_BACKUP_S3.";
  if (name === "NoSuchKey" || (name === "NotFound" && status === 404))
    return "there is no such object. `gatehouse backup list` shows those that are there.";
  if (name === "InvalidAccessKeyId" || name === "SignatureDoesNotMatch")
    return "the store rejects the access key. Check GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID and GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY.";
  if (name === "CredentialsProviderError")
    return "there is no access key. Set GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID and GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY, or give this machine a role.";
  if (name === "RequestTimeTooSkewed") return "the clock of this machine is wrong, so the store rejects its requests.";
  if (name === "PermanentRedirect" || name === "AuthorizationHeaderMalformed" || /region/i.test(message))
    return `the bucket is in another region: set GATEHOUSE_BACKUP_S3_REGION (${message}).`;
  if (status === 507 || NO_ROOM.test(name)) return `the store has no room (${name}: ${message}).`;
  if (status === 403) return `the access key may not do this (${name}: ${message}).`;
  if (UNREACHABLE.test(code) || name === "TimeoutError")
    return `the store at ${endpoint ?? "Amazon S3"} cannot be reached (${code || message}). Check GATEHOUSE_BACKUP_S3_ENDPOINT and the network.`;
  return `the store answered ${status ?? "nothing"} (${name}: ${message}).`;
}
