export const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
export const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

const LOCAL_HOST = /^(127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f.*\]|0\.0\.0\.0|\[::\]|(.+\.)?localhost)\.?$/i;

export function isLoopbackHost(hostname) {
  return LOOPBACK_HOSTS.includes(hostname);
}

export function isLoopbackUrl(url) {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

export function isOnLoopback(host) {
  return isLoopbackUrl(`http://${host.includes(":") ? `[${host}]` : host}`);
}

export function isLocalHost(hostname) {
  return LOCAL_HOST.test(hostname);
}
