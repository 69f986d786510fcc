import { betterAuthOf } from "../../../subjects/better-auth.js";

export const POST = (request) => betterAuthOf().handler(request);
