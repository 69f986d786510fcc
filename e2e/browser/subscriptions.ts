export const subscription = (id: string, status: string, nickname: string) => ({
  id,
  object: "subscription",
  status,
  customer: "cus_1",
  cancel_at_period_end: false,
  metadata: {},
  items: { data: [{ current_period_end: 1_924_905_600, price: { id: "price_1", nickname } }] },
});
