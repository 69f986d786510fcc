import { cookieName } from "@gatehouse/runtime";
import { sealData, unsealData } from "iron-session";
import { z } from "zod";
import { type Env, env } from "@/env.ts";
import type { Tokens } from "./tokens.ts";

const SESSION_SECONDS = 14 * 86_400;
const SIGN_IN_SECONDS = 30 * 60;
const MAX_SIGN_INS = 5;
/** Of name and value. Browsers drop a cookie over 4,096 bytes, and some count its attributes. */
const MAX_COOKIE_BYTES = 3_900;

/** The part of Next's cookie stores that is read here. */
type Jar = { get(name: string): { value: string } | undefined };
/** A cookie in the form that Next's `response.cookies.set` accepts. */
export type SealedCookie = {
  name: string;
  value: string;
  httpOnly: true;
  sameSite: "lax";
  secure: boolean;
  path: "/";
  maxAge: number;
};

const tokensShape = z.object({ accessToken: z.string(), refreshToken: z.string().nullable(), expiresAt: z.int() });
const signInsShape = z.object({
  signIns: z.array(z.object({ state: z.string(), verifier: z.string(), returnTo: z.string() })).max(MAX_SIGN_INS),
});

/** A sign-in in progress: the browser is at the server and is expected back at the callback. */
export type SignIn = z.infer<typeof signInsShape>["signIns"][number];

function nameOf(kind: "session" | "sign_in", { issuer, adminUrl }: Pick<Env, "issuer" | "adminUrl">): string {
  return cookieName(`console_${kind}`, { issuer, host: adminUrl });
}

/** This browser's tokens; undefined when it is not signed in, or its cookie is expired or forged. */
export async function readTokens(jar: Jar): Promise<Tokens | undefined> {
  return tokensShape.safeParse(await open(jar, "session", SESSION_SECONDS)).data;
}

export async function tokensCookie(tokens: Tokens): Promise<SealedCookie> {
  return cookie("session", await seal(tokens, SESSION_SECONDS), SESSION_SECONDS);
}

export async function readSignIns(jar: Jar): Promise<SignIn[]> {
  return signInsShape.safeParse(await open(jar, "sign_in", SIGN_IN_SECONDS)).data?.signIns ?? [];
}

/** Several tabs can sign in at once; only the newest sign-ins are kept, as many as fit into a cookie. */
export async function signInsCookie(signIns: SignIn[]): Promise<SealedCookie> {
  for (let kept = signIns.slice(-MAX_SIGN_INS); kept.length > 0; kept = kept.slice(1)) {
    const sealed = cookie("sign_in", await seal({ signIns: kept }, SIGN_IN_SECONDS), SIGN_IN_SECONDS);
    if (Buffer.byteLength(`${sealed.name}=${sealed.value}`) <= MAX_COOKIE_BYTES) return sealed;
  }
  return clearedCookie("sign_in");
}

export function clearedCookie(kind: "session" | "sign_in"): SealedCookie {
  return cookie(kind, "", 0);
}

function cookie(kind: "session" | "sign_in", value: string, maxAge: number): SealedCookie {
  const { secure } = env();
  return { name: nameOf(kind, env()), value, httpOnly: true, sameSite: "lax", secure, path: "/", maxAge };
}

function seal(data: unknown, ttl: number): Promise<string> {
  return sealData(data, { password: env().cookiePassword, ttl });
}

async function open(jar: Jar, kind: "session" | "sign_in", ttl: number): Promise<unknown> {
  const value = jar.get(nameOf(kind, env()))?.value;
  return value === undefined ? undefined : unsealData<unknown>(value, { password: env().cookiePassword, ttl });
}
