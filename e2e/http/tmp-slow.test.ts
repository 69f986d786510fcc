import { test } from "vitest";
import { request, Agent } from "node:http";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath } from "../harness/flow.ts";
import { startGatehouse } from "../harness/gatehouse.ts";
import { newAgent } from "../harness/agent.ts";
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
function send(port: number, method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<[number, number]> {
  return new Promise((res) => {
    const t = performance.now();
    let r;
    try { r = request({ agent, host: "localhost", port, method, path, headers: { ...headers, ...(body ? { "content-length": String(body.length) } : {}) } }, (i) => { i.resume(); i.on("end", () => res([performance.now() - t, i.statusCode ?? 0])); }); } catch (e) { return res([0, -1]); }
    r.on("error", () => res([performance.now() - t, -2])); r.end(body);
  });
}
const P: Record<string, string> = { a: "a", dash: "-", adash: "a-", sp: "a ", comma: "a,", commas: ",", semi: "a;", semis: ";", eq: "=", p25: "%25", pct: "%", amp: "&", aamp: "a=&", br: "[", br2: "{\"a\":", q: '"', bs: "\\", dot: "a.", dots: ".", sl: "/", asl: "a/", nul: "0", plus: "+", lt: "<", at: "a@", colon: "a:", hash: "#", tilde: "~", q1: "a;q=1,", uri: "http://a,", res: "https://x-- ", b64: "QUJD", us: "_", bar: "a|", star: "*", utf: "\u4e00\u4e01", mark: "\u0301\u0316", escU: "%E4%B8%80" };
test("slow", async () => {
  const g = await startGatehouse({ engine: "sqlite", fixture: fixture(), settings: { GATEHOUSE_REGISTRATION: "open", GATEHOUSE_CLIENT_METADATA_DOCUMENTS: "on" } });
  const port = Number(new URL(g.issuer).port);
  const out: string[] = [];
  const probe = async (name: string, make: (text: string, size: number) => [string, string, Record<string, string>, Buffer?], sizes: [number, number]) => {
    for (const [pn, p] of Object.entries(P)) {
      const at = async (size: number) => { let best = 1e9, st = 0; for (let k = 0; k < 3; k++) { const text = p.repeat(Math.floor(size / Buffer.byteLength(p))); const [ms, s] = await send(port, ...make(text, size)); st = s; best = Math.min(best, ms); if (ms < 12) break; } return [best, st] as const; };
      const [big, st] = await at(sizes[1]);
      if (st === 500 || st === -2) out.push(`!! ${name} ${pn} ${st}`);
      if (big < 14) continue;
      const [small] = await at(sizes[0]);
      out.push(`${name} ${pn} ${st}: ${small.toFixed(1)} -> ${big.toFixed(1)}`);
    }
  };
  const ok = (t: string) => !/[^\t\x20-\x7e\x80-\xff]/.test(t);
  const lat = (t: string) => (ok(t) ? t : Buffer.from(t).toString("latin1").replace(/[\x00-\x1f\x7f]/g, "x"));
  const H: [number, number] = [6000, 12000];
  try {
    for (const h of ["accept-language", "user-agent", "origin", "referer", "x-forwarded-for", "forwarded", "accept", "if-none-match", "content-type", "x-request-id", "traceparent", "sec-fetch-site"])
      await probe(`GET /sign-in ${h}`, (t) => ["GET", "/sign-in", { [h]: lat(t) }], H);
    for (const h of ["accept-language", "if-none-match", "accept"]) await probe(`GET jwks ${h}`, (t) => ["GET", "/.well-known/jwks.json", { [h]: lat(t) }], H);
    for (const pre of ["", "Bearer ", "Basic ", "DPoP ", "DPoP a.b."]) await probe(`api authorization ${pre}`, (t) => ["GET", "/api/resource", { authorization: pre + lat(t) }], H);
    await probe(`token basic`, (t) => ["POST", "/token", { authorization: `Basic ${lat(t)}`, "content-type": "application/x-www-form-urlencoded" }, Buffer.from("grant_type=client_credentials")], H);
    await probe(`token dpop`, (t) => ["POST", "/token", { dpop: lat(t), "content-type": "application/x-www-form-urlencoded" }, Buffer.from(`grant_type=refresh_token&client_id=${CLIENTS.browser.client_id}&refresh_token=x`)], H);
    for (const c of ["gatehouse_session", "gatehouse_csrf", "gatehouse_locale", "gatehouse_known_abcdefghijkl", "gatehouse_upstream_abcdefghijklmnop.0", "gatehouse_ticket", "gatehouse_link", "gatehouse_remembered", "gatehouse_confirmed_browser", "gatehouse_upstream_link"]) await probe(`cookie ${c}`, (t) => ["GET", "/sign-in", { cookie: `${c}=${lat(t).replace(/;/g, ",")}` }], H);
    await probe(`cookie raw`, (t) => ["GET", "/sign-in", { cookie: lat(t) }], H);
    for (const path of ["/sign-in?next=", "/sign-in?request=", "/device?user_code=", "/", "/refused?code=", "/verify-email?token=", "/sign-in/with/google/callback?state=", "/sign-in?", "/account?", "/brand/colours/", "/_next/static/", "/assets/", "/api/webhooks/", "/register/", "/logout?id_token_hint=", "/logout?post_logout_redirect_uri=", "/authorize?", "/.well-known/oauth-protected-resource/"])
      await probe(`GET ${path}`, (t) => ["GET", path + encodeURI(t).replace(/#/g, "%23"), {}], H);
    const bases: [string, string][] = [["authorize", authorizePath(CLIENTS.browser)]];
    for (const [n, b] of bases) for (const p of ["scope", "state", "nonce", "prompt", "max_age", "acr_values", "login_hint", "id_token_hint", "claims", "ui_locales", "dpop_jkt", "resource", "redirect_uri", "client_id", "code_challenge", "request_uri", "response_mode"]) {
      await probe(`${n} ${p}`, (t) => { const u = new URL(b, g.issuer); const q = u.searchParams; q.set(p, t); let s = q.toString(); if (s.length > 8150) { const v = t.slice(0, Math.floor(t.length * 7000 / s.length)); q.set(p, v); s = q.toString(); } return ["GET", `/authorize?${s}`, {}]; }, [4000, 8000]);
    }
    const F = { "content-type": "application/x-www-form-urlencoded" };
    const B: [number, number] = [30000, 62000];
    for (const ep of ["/token", "/par", "/device_authorization", "/revoke", "/introspect", "/authorize", "/logout"]) {
      for (const p of ["grant_type", "client_id", "client_secret", "client_assertion", "scope", "resource", "redirect_uri", "code", "code_verifier", "refresh_token", "subject_token", "token", "audience", "id_token_hint", "ui_locales", "claims", "acr_values", "user_code"]) {
        const base = ep === "/token" ? `grant_type=authorization_code&client_id=${CLIENTS.browser.client_id}&code=x&` : ep === "/device_authorization" ? `client_id=${CLIENTS.device.client_id}&` : ep === "/par" || ep === "/authorize" ? authorizePath(CLIENTS.browser).split("?")[1] + "&" : `client_id=${CLIENTS.browser.client_id}&`;
        await probe(`POST ${ep} ${p}`, (t) => ["POST", ep, F, Buffer.from(base.replace(new RegExp(`(^|&)${p}=[^&]*`), "$1") + `&${p}=` + t.replace(/[&#]/g, "a"))], B);
      }
      await probe(`POST ${ep} raw`, (t) => ["POST", ep, F, Buffer.from(t)], B);
      await probe(`POST ${ep} rep`, (t) => ["POST", ep, F, Buffer.from(`client_id=${CLIENTS.browser.client_id}&grant_type=authorization_code` + `&resource=https://${t.slice(0, 5)}`.repeat(2000))], B);
    }
    for (const m of ["redirect_uris", "client_name", "scope", "jwks", "jwks_uri", "client_uri", "contacts", "software_id", "grant_types"]) await probe(`register ${m}`, (t) => { const v = ["redirect_uris", "contacts", "grant_types"].includes(m) ? [t] : t; return ["POST", "/register", { "content-type": "application/json" }, Buffer.from(JSON.stringify({ redirect_uris: ["https://a.example/cb"], [m]: v }).slice(0, 65000))]; }, B);
    await probe(`register raw`, (t) => ["POST", "/register", { "content-type": "application/json" }, Buffer.from(t)], B);
    // forms with CSRF
    const a = newAgent(g.issuer);
    const page = await a.open("/sign-in"); const csrf = page.document.querySelector("input[name=csrf]")?.getAttribute("value") ?? "";
    const cookie = [...a.cookies].map(([n, v]) => `${n}=${v}`).join("; ");
    for (const [path, fields] of [["/sign-in", ["email", "password", "next", "request"]], ["/sign-up", ["email", "name", "password", "next"]], ["/forgot-password", ["email"]], ["/sign-in/code", ["email", "code"]], ["/sign-in/passkey", ["response", "credential", "email"]], ["/language", ["locale", "back", "next", "request"]], ["/reset-password", ["password"]], ["/verify-email", ["code"]], ["/sign-in/second-step", ["code"]]] as const)
      for (const f of fields) await probe(`form ${path} ${f}`, (t) => ["POST", path, { ...F, cookie, origin: g.issuer, "sec-fetch-site": "same-origin" }, Buffer.from(`csrf=${csrf}&${f}=${t.replace(/[&#]/g, "a")}${f === "email" ? "@a.example" : ""}${path === "/sign-in" && f !== "email" ? "&email=a@b.example" : ""}`)], B);
    await probe(`trpc`, (t) => ["GET", `/trpc/applications.list?batch=1&input=${encodeURIComponent(t).slice(0, 12000)}`, {}], H);
    await probe(`trpc body`, (t) => ["POST", `/trpc/applications.create`, { "content-type": "application/json" }, Buffer.from(t)], B);
    const W: [number, number] = [500_000, 1_000_000];
    for (const s of ["stripe", "adyen", "braintree", "mollie", "github", "paypal", "shopify", "custom", "square", "svix"]) await probe(`webhook ${s}`, (t) => ["POST", `/api/webhooks/${s}`, { "content-type": s === "braintree" ? F["content-type"] : "application/json" }, Buffer.from(t)], W);
    for (const s of ["stripe-signature", "webhook-signature", "x-hub-signature-256", "cko-signature", "paypal-transmission-sig"]) await probe(`webhook header ${s}`, (t) => ["POST", `/api/webhooks/${s.startsWith("stripe") ? "stripe" : s.startsWith("web") ? "standard-webhooks" : s.startsWith("x-hub") ? "github" : s.startsWith("cko") ? "checkout" : "paypal"}`, { [s]: lat(t), "webhook-id": "a", "webhook-timestamp": "1700000000", "content-type": "application/json" }, Buffer.from("{}")], H);
  } finally { await import("node:fs").then((fs) => fs.writeFileSync("/tmp/slow.txt", out.join("\n"))); await g.stop(); }
}, 580_000);
