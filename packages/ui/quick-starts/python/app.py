# Needs Python 3.9 or later, and no packages.
# env $(cat .env) python3 app.py
import base64
import hashlib
import json
import os
import secrets
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from urllib.request import Request, urlopen

ISSUER = "__ISSUER__"
CLIENT_ID = "__CLIENT_ID__"
CLIENT_SECRET = os.environ["CLIENT_SECRET"]
REDIRECT_URI = "__REDIRECT_URI__"
SCOPES = "__SCOPES__"

with urlopen(f"{ISSUER}/.well-known/openid-configuration", timeout=10) as response:
    SERVER = json.load(response)


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def redeem(code: str, verifier: str) -> dict:
    credentials = base64.b64encode(f"{quote(CLIENT_ID, safe='')}:{quote(CLIENT_SECRET, safe='')}".encode()).decode()
    form = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier, "redirect_uri": REDIRECT_URI}
    request = Request(SERVER["token_endpoint"], urlencode(form).encode(), {"Authorization": f"Basic {credentials}"})
    with urlopen(request, timeout=10) as response:
        return json.load(response)


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/":
            return self.answer(200, '<a href="/login">Sign in</a>', {"Content-Type": "text/html"})
        if url.path == "/login":
            return self.login()
        if url.path == urlsplit(REDIRECT_URI).path:
            return self.callback(parse_qs(url.query))
        return self.answer(404, "Not found")

    def login(self):
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
        query = {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "redirect_uri": REDIRECT_URI,
            "scope": SCOPES,
            "state": state,
            "code_challenge": b64url(hashlib.sha256(verifier.encode()).digest()),
            "code_challenge_method": "S256",
        }
        cookie = f"sign_in={state}.{verifier}; HttpOnly; SameSite=Lax; Path=/; Max-Age=600"  # ties the callback to this browser
        return self.answer(303, "", {"Location": f"{SERVER['authorization_endpoint']}?{urlencode(query)}", "Set-Cookie": cookie})

    def callback(self, query):
        kept = SimpleCookie(self.headers.get("Cookie", "")).get("sign_in")
        state, _, verifier = (kept.value if kept else "").partition(".")
        sent = query.get("state", [""])[0]
        if not state or not secrets.compare_digest(state, sent) or query.get("iss") != [ISSUER]:
            return self.answer(400, "This sign-in was not started here. Open /login.")
        if "code" not in query:
            return self.answer(400, f"Not signed in: {query.get('error', ['no code'])[0]}")
        tokens = redeem(query["code"][0], verifier)
        request = Request(SERVER["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"})
        with urlopen(request, timeout=10) as response:
            user = json.load(response)
        # Start your own session here, and keep the tokens on the server.
        return self.answer(200, f"Signed in as {user.get('email')}. Scopes: {tokens['scope']}")

    def answer(self, status, text, headers=None):
        self.send_response(status)
        for name, value in {"Content-Type": "text/plain; charset=utf-8", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    port = urlsplit(REDIRECT_URI).port or 4000
    print(f"Open http://localhost:{port}", flush=True)
    ThreadingHTTPServer(("localhost", port), App).serve_forever()
