// node --env-file=.env server.mjs
import { gatehouse } from "@gatehouse/sdk/express";
import express from "express";

const { handlers, requireAuth } = gatehouse(__SDK_OPTIONS__); // configured by .env
const text = (value) => String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const app = express();
app.use(handlers); // first: sign-in, sign-out and the redirect URI, __REDIRECT_URI__

app.get("/", (_, response) => {
  response.send('<p><a href="/account">Your account</a></p>');
});

app.get("/account", requireAuth({ accept: "session" }), ({ auth }, response) => {
  const name = text(auth.user.email ?? auth.user.name ?? "a user");
  response.send(
    `<p>Signed in as ${name}</p><form method="post" action="__AUTH_PATH__/sign-out"><button>Sign out</button></form>`,
  );
});

app.use((_, response) => response.redirect(303, "/"));

app.listen(Number("__PORT__"), "__HOST__", () => console.log("Open __APP_URL__"));
