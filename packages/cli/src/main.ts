import { gatehouse } from "./gatehouse.ts";

await gatehouse(process.argv.slice(2));
