import { missingLevel } from "@gatehouse/auth";
import { authorOf, freshSince } from "@gatehouse/console/author";
import { insufficientAuthentication } from "@gatehouse/console/challenge";
import { createContext, type Principal } from "@gatehouse/console/context";
import { bodiesFor, recordTail, type StreamReader } from "@gatehouse/console/deliveries/stream/stream";
import { WEAK_SIGN_IN } from "@gatehouse/console/errors";
import { ABILITIES, type Author } from "@gatehouse/console/permissions";
import { json } from "../../../../server/pages/responses/respond.tsx";
import { route, type Visit } from "../../../../server/routing/route.ts";
import { eventStream, type ServerSentEvent } from "../../../../server/streams/event-stream.ts";
import { streamDeliveries } from "../../../../server/streams/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/deliveries/stream", { GET: streamDeliveries });
