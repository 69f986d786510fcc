/**
 * Schemes that run code, read files, start programs of the system or mean something to every browser: no app can claim
 * them for itself, and a redirect to one could do harm. RU-03, RU-05.
 */
const DANGEROUS = new Set([
  "javascript",
  "data",
  "file",
  "blob",
  "vbscript",
  "livescript",
  "mocha",
  "intent",
  "about",
  "view-source",
  "filesystem",
  "feed",
  "http",
  "https",
  "ws",
  "wss",
  "ftp",
  "ftps",
  "sftp",
  "ssh",
  "telnet",
  "ldap",
  "ldaps",
  "smb",
  "nfs",
  "gopher",
  "git",
  "svn",
  "mailto",
  "tel",
  "sms",
  "mms",
  "callto",
  "facetime",
  "sip",
  "sips",
  "geo",
  "maps",
  "market",
  "urn",
  "cid",
  "mid",
  "tag",
  "jar",
  "resource",
  "res",
  "mhtml",
  "mk",
  "its",
  "wyciwyg",
  "shell",
  "search-ms",
  "search",
  "help",
  "hcp",
  "device",
  "content",
  "chrome",
  "chrome-extension",
  "chrome-search",
  "chrome-untrusted",
  "chrome-error",
  "devtools",
  "edge",
  "opera",
  "brave",
  "vivaldi",
  "moz-extension",
  "moz-icon",
  "safari-extension",
  "safari-web-extension",
  "webkit-fake-url",
  "android-app",
  "ios-app",
  "app-settings",
  "applescript",
  "osascript",
  "vnd.ms.radio",
  "ldapi",
]);
/** Of Windows, Office and macOS, which start programs with arguments, and those that any website can claim. */
const DANGEROUS_PREFIX = /^(?:ms-|microsoft-|x-apple|itms|web\+)/;

/** Could a redirect to this scheme run code, read files or start something of the system? Ignores case. RU-05. */
export function isDangerousScheme(scheme: string): boolean {
  const name = scheme.toLowerCase();
  return DANGEROUS.has(name) || DANGEROUS_PREFIX.test(name);
}

/**
 * Is this a scheme that an app can claim for itself, as it has to be registered: in lower case and without the colon?
 * RFC 8252 §7.1.
 */
export function isPrivateScheme(scheme: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,63}$/.test(scheme) && !isDangerousScheme(scheme);
}

/**
 * The schemes that clients may register themselves unless the configuration lists others: those of common editors.
 * CF-14.
 */
export const EDITOR_SCHEMES = ["cursor", "kiro", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"] as const;
