import { NextResponse } from "next/server";
import NextAuth from "next-auth";

const { auth } = NextAuth({
  basePath: "/next-auth",
  trustHost: true,
  secret: process.env.SECRET,
  session: { strategy: "jwt" },
  providers: [],
});
export const guarded = auth((request) => (request.auth ? NextResponse.next() : NextResponse.redirect(request.url)));
export const whoIsIt = async () => (await auth())?.user?.email;
