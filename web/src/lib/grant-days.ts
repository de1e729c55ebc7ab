// An admin grants Premium until a day in their own time zone, from today to twelve months from now, in the form for one user and in that for
// many. On a day on which a month of the grant ends, the server ends the grant with the month, at the present time of day.
import { GRANT_MONTHS_MAX, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import { monthsAfter } from '@shortlist/contracts/durations';
import { grantEndAt, grantMonths, nextMonth } from '@shortlist/contracts/plan-months';
import { useState } from 'react';
import { usersText } from '../messages/users.ts';
import { dayEdge, now, tableDate, utcDay } from './dates.ts';

/** The first and the last day of a grant, and the one that is chosen at first, as YYYY-MM-DD. */
export const grantDays = (now: number): Record<'first' | 'initial' | 'last', string> => {
  const from = new Date(now);
  return {
    first: tableDate(from),
    initial: tableDate(nextMonth(from)),
    last: tableDate(monthsAfter(from, GRANT_MONTHS_MAX)),
  };
};

/** How many months with credits a grant until a day has. */
export const monthsUntil = (day: string, now: number): number => {
  const from = new Date(now);
  return grantMonths(from, grantEndAt(dayEdge(day, 'end'), from) ?? from);
};

const helpFor = (day: string, now: number): string => {
  const credits = usersText('grantDayCredits', { months: monthsUntil(day, now), credits: PREMIUM_CREDITS });
  return `${usersText('grantDayHelp')} ${credits}`;
};

/** The last day of a grant: the field's props, and what the server gets; null without a possible day. */
export const useGrantDay = () => {
  const [openedAt] = useState(now);
  const { first, initial, last } = grantDays(openedAt);
  const [day, setDay] = useState(initial);
  const isOutside = day < first || day > last;
  const outside = usersText('grantDayOutside', { first: utcDay(first), last: utcDay(last) });
  const field = {
    label: usersText('grantDay'),
    type: 'date',
    min: first,
    max: last,
    value: day,
    help: isOutside ? usersText('grantDayHelp') : helpFor(day, openedAt),
    error: isOutside ? outside : undefined,
    onChange: (event: { target: { value: string } }) => setDay(event.target.value),
  } as const;
  return { field, until: isOutside ? null : dayEdge(day, 'end') };
};
