import { gatehouse } from "./main.ts";

void gatehouse(process.argv.slice(2));
