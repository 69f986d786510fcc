import { proxy } from "./auth";

// Everything else needs a signed-in user. Pages, actions and procedures check again.
export default proxy({ public: ["/", "/api/trpc(.*)"] });

export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"] };
