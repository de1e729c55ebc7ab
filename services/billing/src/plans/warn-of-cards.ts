import { listDueCardWarnings } from '../subscriptions/queries.ts';
import { type RefreshParts, refreshSubscriber } from '../refresh/refresh-subscriber.ts';
import { forEachDue, type Result } from './each-due.ts';

const WAIT_MS = 2_000;
const ORIGIN = { by: 'schedule', reason: 'warning of a card is due', waitMs: WAIT_MS };

/**
 * Refreshes the users who are to be mailed that their card expires. The refresh emits the event, unless the card was replaced or the plan
 * has ended, and the warning is no longer due then.
 */
export const warnOfCards = (parts: RefreshParts): Promise<Result> =>
  forEachDue(parts, {
    list: (page) => listDueCardWarnings(parts.db.manager, page),
    run: async (userId) => {
      await refreshSubscriber(parts, userId, ORIGIN);
      return true;
    },
    failure: 'warning of a card postponed',
  });
