import { proxy } from "./auth.ts";

const SHAPES = {
  public: { public: ["/", "/menu"] },
  protect: { protect: ["/guarded(.*)", "/api/me"] },
};

export default proxy(process.env["SHAPE"] === "protect" ? SHAPES.protect : SHAPES.public);

export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"] };
