# Needs Python 3.9 or later, and no packages.
# env $(cat .env) python3 app.py
import base64
import hashlib
import json
import os
import secrets
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from urllib.request import Request, urlopen

ISSUER = "__ISSUER__"
CLIENT_ID = "__CLIENT_ID__"
CLIENT_SECRET = os.environ["CLIENT_SECRET"]
REDIRECT_URI = "__REDIRECT_URI__"
POST_LOGOUT_REDIRECT_URI = "__POST_LOGOUT_REDIRECT_URI__"  # as registered; empty if none is
SCOPES = "__SCOPES__"
SECURE = "; Secure" if REDIRECT_URI.startswith("https:") else ""
SIGN_IN_LINK = '<p><a href="/login">Sign in</a></p>'

with urlopen(f"{ISSUER}/.well-known/openid-configuration", timeout=10) as response:
    SERVER = json.load(response)

sessions = {}  # in memory: use a session store in production


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def redeem(code: str, verifier: str) -> dict:
    credentials = base64.b64encode(f"{quote(CLIENT_ID, safe='')}:{quote(CLIENT_SECRET, safe='')}".encode()).decode()
    form = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier, "redirect_uri": REDIRECT_URI}
    request = Request(SERVER["token_endpoint"], urlencode(form).encode(), {"Authorization": f"Basic {credentials}"})
    with urlopen(request, timeout=10) as response:
        return json.load(response)


def user_of(tokens: dict):
    """Who the user is; None once the session at Gatehouse has ended or the access token has expired."""
    request = Request(SERVER["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"})
    try:
        with urlopen(request, timeout=10) as response:
            return json.load(response)
    except HTTPError as error:
        if error.code == 401:
            return None
        raise


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if url.path == (urlsplit(REDIRECT_URI).path or "/") and "state" in query:
            return self.callback(query)
        if url.path == "/login":
            return self.login()
        return self.home() if url.path == "/" else self.redirect("/")

    def do_POST(self):
        return self.logout() if self.path == "/logout" else self.redirect("/")

    def home(self):
        session = self.cookie("app_session")
        if session not in sessions:
            return self.answer(200, f"<p>You are not signed in.</p>{SIGN_IN_LINK}")
        user = user_of(sessions[session])
        if user is None:
            sessions.pop(session, None)
            return self.redirect("/login")
        name = escape(str(user.get("email") or user.get("name") or user["sub"]))
        form = '<form method="post" action="/logout"><button>Sign out</button></form>'
        return self.answer(200, f"<p>Signed in as {name}</p>{form}")

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
        # The cookie ties the answer to this browser.
        return self.redirect(f"{SERVER['authorization_endpoint']}?{urlencode(query)}", f"app_sign_in={state}.{verifier}; Max-Age=600")

    def callback(self, query):
        state, _, verifier = self.cookie("app_sign_in").partition(".")
        if not state or not secrets.compare_digest(state.encode(), query["state"][0].encode()) or query.get("iss") != [ISSUER]:
            return self.answer(400, f"<p>This sign-in was not started in this browser.</p>{SIGN_IN_LINK}")
        if "code" not in query:
            error = escape(query.get("error", ["no code"])[0])
            return self.answer(400, f"<p>Not signed in: {error}</p>{SIGN_IN_LINK}")
        try:
            tokens = redeem(query["code"][0], verifier)
        except HTTPError as error:
            return self.answer(400, f"<p>Not signed in: the code was refused ({error.code})</p>{SIGN_IN_LINK}")
        session = secrets.token_urlsafe(32)
        sessions[session] = tokens  # they stay on the server
        return self.redirect("/", f"app_session={session}")

    def logout(self):
        tokens = sessions.pop(self.cookie("app_session"), None)
        if tokens is None or not POST_LOGOUT_REDIRECT_URI:
            return self.answer(200, f"<p>You are signed out of this app, but not of Gatehouse.</p>{SIGN_IN_LINK}")
        # Ends the session at Gatehouse too, which sends the browser back.
        query = {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": POST_LOGOUT_REDIRECT_URI}
        return self.redirect(f"{SERVER['end_session_endpoint']}?{urlencode(query)}")

    def cookie(self, name):
        kept = SimpleCookie(self.headers.get("Cookie", "")).get(name)
        return kept.value if kept else ""

    def redirect(self, location, cookie=None):
        set_cookie = {"Set-Cookie": f"{cookie}; HttpOnly; SameSite=Lax; Path=/{SECURE}"} if cookie else {}
        return self.answer(303, "", {"Location": location, **set_cookie})

    def answer(self, status, html, headers=None):
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(html.encode())


if __name__ == "__main__":
    print("Open http://__HOST__:__PORT__", flush=True)
    ThreadingHTTPServer(("__HOST__", int("__PORT__")), App).serve_forever()
