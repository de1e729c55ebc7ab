export type EarningsPeriod = 'week' | 'month' | 'year';
/**
 * Amounts in minor units. Earnings are paid invoices; expenses are refunds, disputes and the provider's fees. Sums in currencies other than
 * `currency` are in `others` and never added. `unknownFees` is the number of payments whose fee the provider has not stated yet.
 */
export type EarningsView = {
  currency: string;
  from: string;
  to: string;
  buckets: { start: string; earnings: number; expenses: number }[];
  earnings: number;
  expenses: number;
  others: { currency: string; earnings: number; expenses: number }[];
  unknownFees: number;
};
