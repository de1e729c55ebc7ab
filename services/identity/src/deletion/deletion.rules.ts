// A requested deletion is due DELETION_DAYS after the request, and not before the end of the period that the user has paid for and
// wants to keep. The end of a period never moves it by more than MAX_DAYS.
import { DELETION_DAYS } from '@shortlist/contracts/limits';

const DAY_MS = 86_400_000;
const MAX_DAYS = 400;

export const dueAtOf = (requestedAt: Date, keepUntil: Date | null): Date => {
  const after = (days: number): number => requestedAt.getTime() + days * DAY_MS;
  const wanted = Math.max(after(DELETION_DAYS), keepUntil?.getTime() ?? 0);
  return new Date(Math.min(wanted, after(MAX_DAYS)));
};
