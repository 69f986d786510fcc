/** How many sign-ins, and how many refused requests, a user's page shows. For its server component too. */
export const SHOWN_NEWEST = 5;
