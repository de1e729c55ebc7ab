import { utcDay, utcToday } from '../../lib/dates.ts';
import { connectionsText } from '../../messages/connections.ts';

/** When a key or a tool was used last, and from which network, where that is known. */
export const lastUseText = ({ day, network }: { day: string; network: string }): string => {
  const isToday = day === utcToday();
  if (network === '')
    return isToday ? connectionsText('usedTodayOnly') : connectionsText('usedOnOnly', { day: utcDay(day) });
  return isToday
    ? connectionsText('usedToday', { network })
    : connectionsText('usedOn', { day: utcDay(day), network });
};
