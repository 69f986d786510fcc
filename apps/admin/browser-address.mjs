/**
 * The value of `X-Forwarded-For` for a request to the console: the address of the socket, or what the request has
 * behind a trusted proxy. Next sets the header only where it is missing, so a browser could claim any address in the
 * audit log. CO-64.
 * @param {string | undefined} claimed
 * @param {string | undefined} peer
 * @param {boolean} trustProxy
 */
export function forwardedFor(claimed, peer, trustProxy) {
  return trustProxy && claimed ? claimed : (peer ?? "");
}
