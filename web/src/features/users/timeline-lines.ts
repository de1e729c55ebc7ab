// A user can make hundreds of charges on one day: those that follow one another there are one line of the timeline, with their sum, which
// opens to them. Credits that come back, and anything else in between, end the line.
import type { TimelineView } from '@shortlist/contracts/api/timeline';
import { isOfTool } from '@shortlist/contracts/credit-history';
import { tableDate } from '../../lib/dates.ts';

export type Charge = Extract<TimelineView, { credits: unknown }>;
/** `amount`: the credits of all `charges`, positive. */
type Charges = { charges: Charge[]; amount: number };
export type TimelineLine = { entry: TimelineView } | Charges;

const isCharge = (entry: TimelineView): entry is Charge =>
  'credits' in entry && entry.credits.amount <= 0 && isOfTool(entry.credits.reason);

const continues = ({ charges }: Charges, { at }: Charge): boolean =>
  charges.every((charge) => tableDate(charge.at) === tableDate(at));

const foldedOf = (charge: Charge): Charges => ({ charges: [charge], amount: -charge.credits.amount });

/** A single charge is no fold. */
const unfolded = (line: TimelineLine): TimelineLine => {
  if (!('charges' in line)) return line;
  const [first, second] = line.charges;
  return first !== undefined && second === undefined ? { entry: first } : line;
};

/** The lines of entries, which are ordered by time. Days are those of the viewer's time zone. */
export const linesOf = (entries: readonly TimelineView[]): TimelineLine[] => {
  const lines: TimelineLine[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (!isCharge(entry)) lines.push({ entry });
    else if (last !== undefined && 'charges' in last && continues(last, entry)) {
      last.charges.push(entry);
      last.amount -= entry.credits.amount;
    } else lines.push(foldedOf(entry));
  }
  return lines.map(unfolded);
};
