import { connect } from "node:net";
import { newAgent } from "./harness/agent.ts";
import { signIn, authorizePath, authorize, obtainTokens, obtainCode, redeem, refresh, postAs } from "./harness/flow.ts";
import { send, postForm } from "./harness/http.ts";
import { CLIENTS } from "./harness/fixture.ts";
const port = Number(process.argv[2]); const issuer = `http://localhost:${port}`;
const log = (name: string, ...r: unknown[]) => console.log(`[${name}]`, ...r);
const raw = (text: string | Buffer, wait = 600) => new Promise<string>((ok) => { const s = connect(port, "127.0.0.1", () => s.write(text)); let out = ""; s.on("data", (d) => (out += d)); s.on("error", (e) => (out += `ERR ${e}`)); s.on("close", () => ok(out)); setTimeout(() => { s.destroy(); }, wait); });
const head = (t: string) => t.split("\r\n\r\n")[0]?.split("\r\n").slice(0, 3).join(" | ") + " :: " + (t.split("\r\n\r\n")[1] ?? "").slice(0, 150);
// raw requests
for (const line of process.argv[3] ? [] : ["GET http://evil.test/authorize HTTP/1.1", "GET http://evil.test/ HTTP/1.1", "GET http://evil.test:99999/api/protected/me HTTP/1.1", "GET https://x/api/protected/x HTTP/1.1", "OPTIONS * HTTP/1.1", "GET //evil.test/sign-in HTTP/1.1", "GET /?x HTTP/1.1", "GET ?x HTTP/1.1", "GET /sign-in%3fnext HTTP/1.1", "GET /api/protected;x HTTP/1.1", "GET /api/protected%3bx HTTP/1.1", "GET /api/prot%65cted/me HTTP/1.1","GET /api\\protected/me HTTP/1.1", "GET /api/./protected/me HTTP/1.1", "GET /api/x/../protected/me HTTP/1.1", "GET /%2561pi/protected HTTP/1.1", "GET /api/protected%00 HTTP/1.1", "GET /api/protected%0a HTTP/1.1", "GET /ap\u0131/protected HTTP/1.1", "GET /api/protected/%E2%80%AE HTTP/1.1", "TRACE / HTTP/1.1", "PROPFIND /sign-in HTTP/1.1", "GET /#/x HTTP/1.1", "GET /trpc/ HTTP/1.1", "GET /trpc HTTP/1.1", "GET /trpc/constructor HTTP/1.1","GET /trpc/__proto__.x HTTP/1.1","GET /trpc/me.get.toString HTTP/1.1", "GET /trpc/me.get,me.get?batch=1 HTTP/1.1", "GET /trpc/me%2fget HTTP/1.1", "HEAD /trpc/me.get HTTP/1.1", "OPTIONS /trpc/me.get HTTP/1.1", "HEAD /token HTTP/1.1", "HEAD /authorize HTTP/1.1", "GET /trpc/%ZZ HTTP/1.1", "GET /trpc/me.get?batch=1&input=%7B%22__proto__%22:1%7D HTTP/1.1", "GET /__proto__ HTTP/1.1", "GET /assets/__proto__ HTTP/1.1", "GET /assets/../package.json HTTP/1.1"]) log(line, head(await raw(`${line}\r\nHost: evil.test\r\nConnection: close\r\n\r\n`)));
log("upgrade", head(await raw("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")));
log("expect", head(await raw("POST /token HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nContent-Length: 0\r\n\r\n")));
log("cl+te", head(await raw("POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")));
log("2 hosts", head(await raw("GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n")));
log("no host", head(await raw("GET /healthz HTTP/1.0\r\n\r\n")));
log("gzip", head(await raw("POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\nConnection: close\r\n\r\n\x1f\x8b\x08")));
log("cookies", head(await raw(`GET /account HTTP/1.1\r\nHost: x\r\nCookie: ${"a=b; ".repeat(2500)}\r\nConnection: close\r\n\r\n`)));
log("cookie flood", head(await raw(`GET /account HTTP/1.1\r\nHost: x\r\nCookie: ${"a=b; ".repeat(9500)}\r\nConnection: close\r\n\r\n`)));
// logout csrf
const cross = await postForm(issuer, "/sign-out", {}, { origin: "https://evil.test", "sec-fetch-site": "cross-site" });
log("logout csrf", cross.status, cross.setCookies);
// long state
const a = await signIn(issuer, "authorize");
for (const n of [2000, 5000, 7000, 7600]) { const p = authorizePath(CLIENTS.web, { state: "s".repeat(n), login_hint: undefined }); const anon = newAgent(issuer); const pg = await anon.open(p).catch((e) => e); log(`state ${n}`, p.length, pg.status ?? String(pg), String(pg.url).length); if (pg.status === 200) { const z = await anon.submit(pg, { fields: { Email: "authorize@example.com", Password: "correct horse battery" }, button: "Sign in" }).catch((e) => e); log("  then", z.status ?? String(z).slice(0, 200)); } }
const lh = await newAgent(issuer).open(authorizePath(CLIENTS.web, { login_hint: "h".repeat(6000) })).catch((e) => e); log("login_hint 6000", lh.status ?? String(lh));
const pa = await postForm(issuer, "/authorize", { state: "x".repeat(40000) }).catch((e) => ({ status: String(e), headers: new Headers() })); log("authorize POST 40k", pa.status, pa.headers.get("location")?.length);
// NUL in forms with good csrf
const s = newAgent(issuer); const sp = await s.open("/sign-in");
for (const email of ["a\0@b.c", "\ud800@b", "a\u202e@example.com"]) log("sign-in email", JSON.stringify(email), (await s.post(sp, { fields: { Email: email, Password: "x" }, button: "Sign in" })).status);
log("sign-in pw NUL", (await s.post(sp, { fields: { Email: "authorize@example.com", Password: "x\0" }, button: "Sign in" })).status);
const su = await s.open("/sign-up"); 
for (const name of ["a\0b", "a\u202eb\nc"]) log("sign-up name", JSON.stringify(name), (await s.post(su, { override: { name, email: `n${Math.random()}@example.com`, password: "long enough password" }, fields: {} , button: undefined })).status);
const acc = await a.open("/account"); const csrf = acc.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
for (const f of [{ action: "revoke_app", client_id: "\0" }, { action: "revoke_session", session_id: "\0" }]) log("account", JSON.stringify(f), (await a.request("/account", { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }, body: new URLSearchParams({ csrf, ...f }).toString() })).status);
log("GET sign-in email nul", (await a.request("/sign-in?email=%00&request=%00&next=%00")).status);
// trpc
const adm = await signIn(issuer, "admin");
const T = (agent: typeof adm, path: string, body: string, h: Record<string, string> = {}) => agent.request(path, { method: "POST", headers: { accept: "application/json", "content-type": "application/json", "sec-fetch-site": "same-origin", ...h }, body });
for (const [p, b] of [["/trpc/me.revokeApp", '{"clientId":"\\u0000"}'], ["/trpc/applications.create", '{"name":"a\\u0000","description":""}'], ["/trpc/users.create", '{"email":"a\\u0000@b.cd","name":"n","password":"0123456789","role":"user"}'], ["/trpc/applications.create", '{"name":"x\\ud800","description":""}'], ["/trpc/me.revokeApp", "[".repeat(100000)], ["/trpc/me.revokeApp", '{"clientId":' + "[".repeat(50000) + "]".repeat(50000) + "}"], ["/trpc/" + Array(30).fill("me.revokeApp").join(",") + "?batch=1", "{}"], ["/trpc/me.revokeApp", '{"__proto__":{"clientId":"x"},"constructor":{"prototype":{}}}']] as const) { const r = await T(adm, p, b); log("trpc", p.slice(0, 40), b.slice(0, 40), r.status, r.text.slice(0, 200)); }
for (const q of ["applications.list", "users.list", "deliveries.list"]) for (const input of ['{"query":"\\u0000"}', '{"cursor":"\\u0000"}', '{"eventId":"\\u0000"}', '{"from":9007199254740993}', '{"from":9007199254740991}', '{"cursor":"999999999999.a"}', '{"query":"%_\\\\"}']) { const r = await adm.request(`/trpc/${q}?input=${encodeURIComponent(input)}`); if (r.status >= 500) log("trpc 5xx", q, input, r.status, r.text.slice(0, 200)); }
for (const [ct, body] of [["text/plain", '{"clientId":"x"}'], ["multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"clientId\"\r\n\r\nx\r\n--x--\r\n"], ["application/octet-stream", "abc"], ["application/x-www-form-urlencoded", "clientId=x"]]) { const r = await T(adm, "/trpc/me.revokeApp", body!, { "content-type": ct! }); log("trpc ct", ct, r.status, r.text.slice(0, 160)); const tk = (globalThis as any).tok; }
const fp = await obtainTokens(adm, CLIENTS.firstParty, { scope: "console:read console:write api:read api:write" });
for (const [ct, body] of [["text/plain", '{"clientId":"x"}'], ["multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"clientId\"\r\n\r\nx\r\n--x--\r\n"], ["application/octet-stream", "abc"]]) { const r = await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers: { authorization: `Bearer ${fp.access}`, "content-type": ct! }, body: body! }); log("trpc bearer ct", ct, r.status, r.text.slice(0, 160)); }
// big trpc body
const big = Buffer.alloc(30 * 1024 * 1024, 0x20); big.write('{"clientId":"x"', 0); big.write("}", big.length - 1);
const t0 = Date.now(); const rb = await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers: { authorization: `Bearer ${fp.access}`, "content-type": "application/json" }, body: big }).catch((e) => ({ status: String(e), text: "" })); log("trpc 30MB", rb.status, rb.text.slice(0, 100), Date.now() - t0);
const t1 = Date.now(); const rb2 = await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers: { "content-type": "application/json" }, body: big }).catch((e) => ({ status: String(e), text: "" })); log("trpc 30MB anonymous", rb2.status, rb2.text.slice(0, 100), Date.now() - t1);
for (const p of ["/_next/x", "/_next/static/../../package.json", "/_next/data/x/api/protected/me.json", "/_next/image?url=%2Fapi%2Fprotected%2Fme&w=64&q=75", "/_next/static/%2e%2e/server/x", "/_next/%2e%2e/api/protected/me", "/_next//api/protected/me", "/_next/static/..%2f..%2fapi/protected"]) { const t = Date.now(); const r = await send(issuer, p, { headers: { accept: "text/html" } }).catch((e) => ({ status: String(e), text: "", headers: new Headers() })); log(p, r.status, r.text.slice(0, 80).replace(/\n/g, ""), "csp:", r.headers.get("content-security-policy")?.slice(0, 20), "xfo:", r.headers.get("x-frame-options"), "pb", r.headers.get("x-powered-by"), `${Date.now() - t}ms`); }
// rate limit evasion by /64
const ipv6 = newAgent(issuer); const spg = await ipv6.open("/sign-in"); let blocked = 0;
for (let i = 0; i < 75; i++) { const r = await ipv6.post(spg, { fields: { Email: `nobody${i}@example.com`, Password: "wrong" }, button: "Sign in", headers: { "x-forwarded-for": `2001:db8:1:1::${i.toString(16)}` } }); if (r.status === 429) blocked++; }
log("ipv6 /64 evasion: blocked of 75", blocked);
