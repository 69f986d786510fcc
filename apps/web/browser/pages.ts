// The one script of the pages. They all work without it, except for passkeys. WA-11.
import "./passkeys.ts";
import "./recovery-codes.ts";
import "./show-password.ts";
