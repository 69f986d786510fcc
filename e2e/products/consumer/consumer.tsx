// Uses every entry of the sdk. An expected error says that a type is not `any`.

import { createRouteMatcher, createVerifyToken, GatehouseError, gatehouse } from "@gatehouse/sdk";
import { createAdmin } from "@gatehouse/sdk/admin";
import { gatehouse as gatehouseOfExpress } from "@gatehouse/sdk/express";
import { gatehouse as gatehouseOfHono } from "@gatehouse/sdk/hono";
import { gatehouse as gatehouseOfNext } from "@gatehouse/sdk/next";
import { Show, SignInButton, SignOutButton, UserButton, useUser } from "@gatehouse/sdk/react";
import { createUser, signIn, startGatehouse } from "@gatehouse/sdk/testing";
import { requires } from "@gatehouse/sdk/trpc";
import { sessionLink } from "@gatehouse/sdk/trpc/client";
import { verifyWebhook } from "@gatehouse/sdk/webhooks";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import express from "express";
import { Hono } from "hono";
import type { NextRequest } from "next/server";

export async function onRequest(request: Request): Promise<Response> {
  const { auth } = gatehouse({ check: 0 });
  const result = await auth.protect(request, { scope: "openid" });
  if (!result.ok) return result.response;
  const id: string = result.session.user.id;
  // @ts-expect-error a string
  const wrong: number = result.session.user.id;
  return auth.respond(request, Response.json({ id, wrong }));
}

export async function verify(token: string, request: Request): Promise<string> {
  const { clientId } = await createVerifyToken({ resource: "https://api.example" })(token, { request });
  // @ts-expect-error a string
  const wrong: number = clientId;
  return createRouteMatcher(["/a(.*)"])(request) ? clientId : new GatehouseError("signed_out", `${wrong}`).code;
}

export const app = express();
const onExpress = gatehouseOfExpress();
app.use(onExpress.handlers);
app.get("/", onExpress.requireAuth({ accept: "session" }), (req, res) => {
  // @ts-expect-error a string, or undefined
  const wrong: number = req.auth?.userId;
  res.json({ user: req.auth?.userId, wrong });
});

const onHono = gatehouseOfHono();
export const hono = new Hono();
hono.use(onHono.handlers);
hono.get("/", onHono.requireAuth({ accept: "session" }), (c) => {
  // @ts-expect-error a string
  const wrong: number = c.var.auth.userId;
  return c.json({ user: c.var.auth.userId, wrong });
});

export const { auth, handlers, proxy, getAccessToken } = gatehouseOfNext();
export const GET = auth.protect({ accept: "any" }, (request: NextRequest, { auth: caller }) =>
  Response.json({ via: caller.via, path: request.nextUrl.pathname }),
);
export const middleware = proxy(async (visitor, request, path) => {
  if (path.startsWith("/account")) await visitor.protect();
  return request.nextUrl.pathname === "/" ? undefined : Response.json({});
});
export async function Page() {
  const { user } = await auth.protect();
  // @ts-expect-error a string
  const wrong: number = user.id;
  return <p>{user.name ?? wrong}</p>;
}

const t = initTRPC.context<{ headers: Headers }>().create();
const router = t.router({
  me: t.procedure.use(requires({ scope: "openid" })).query(({ ctx }) => {
    // @ts-expect-error a string
    const wrong: number = ctx.auth.userId;
    return ctx.auth.userId ?? wrong;
  }),
});
export const client = createTRPCClient<typeof router>({ links: [sessionLink(), httpBatchLink({ url: "/trpc" })] });

export function Header() {
  const { status, user } = useUser();
  // @ts-expect-error a word
  const wrong: number = status;
  return (
    <header>
      {user?.name ?? wrong}
      <Show when="signed-out">
        <SignInButton />
      </Show>
      <UserButton>
        <SignOutButton>Leave</SignOutButton>
      </UserButton>
    </header>
  );
}

export async function tests(): Promise<void> {
  const server = await startGatehouse();
  const ada = await createUser(server, { name: "Ada" });
  const headers = await signIn({ url: "http://localhost:3000" }, ada, { as: "headers" });
  // @ts-expect-error no number
  const wrong: number = headers;
  await fetch("http://localhost:3000", { headers, method: String(wrong) });
}

export async function webhooks(request: Request): Promise<string> {
  const { provider, payload } = await verifyWebhook(request, { secret: "whsec_x" });
  // @ts-expect-error a string
  const wrong: number = provider;
  return `${provider} ${String(payload)} ${wrong}`;
}

export const admin = createAdmin({ issuer: "https://id.example", token: "gha_x" });
