// An admin grants Premium until the end of a day in their own time zone, from today to a month from now. The last of these days ends within
// the month only at the present time of day: the server then lets the grant end with the month.
import { useState } from 'react';
import { usersText } from '../messages/users.ts';
import { dayEdge, now, oneMonthAfter, tableDate, utcDay } from './dates.ts';

/** The first and the last day of a grant, as YYYY-MM-DD. */
export const grantDays = (now: number): { first: string; last: string } => ({
  first: tableDate(new Date(now)),
  last: tableDate(oneMonthAfter(new Date(now).toISOString())),
});

/** The last day of a grant, as the form of one user and that of many ask for it: the field's props, and what the server gets; null without a possible day. */
export const useGrantDay = () => {
  const [{ first, last }] = useState(() => grantDays(now()));
  const [day, setDay] = useState(last);
  const isOutside = day < first || day > last;
  const outside = usersText('grantDayOutside', { first: utcDay(first), last: utcDay(last) });
  const field = {
    label: usersText('grantDay'),
    type: 'date',
    min: first,
    max: last,
    value: day,
    help: usersText('grantDayHelp'),
    error: isOutside ? outside : undefined,
    onChange: (event: { target: { value: string } }) => setDay(event.target.value),
  } as const;
  return { field, until: isOutside ? null : dayEdge(day, 'end') };
};
