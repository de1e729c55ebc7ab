export const DAY = 86_400_000;

/** The moment `months` after `anchor`, on the anchor's day of the month or the last day of a shorter month. UTC. */
export const monthsAfter = (anchor: number, months: number): number => {
  const from = new Date(anchor);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (anchor % DAY);
};
