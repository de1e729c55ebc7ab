import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { CHANGE_COLUMNS } from '@shortlist/contracts/data-export';
import type { Db } from '@shortlist/kit/data/db';
import { pagedSection, type ReadSection } from '@shortlist/kit/http/section-endpoint';
import { listEntriesAbout } from './queries.ts';

const actorOf = (actorId: string, userId: string): string => {
  if (actorId === userId) return 'you';
  return actorId === SYSTEM_ACTOR_ID ? 'the product' : 'support';
};

/** The audit entries about a user, without the ids and addresses of other persons. */
export const auditSection = (db: Db): ReadSection =>
  pagedSection(CHANGE_COLUMNS, async (userId, after, limit) => {
    const entries = await listEntriesAbout(db.manager, userId, { after, limit });
    return entries.map((entry) => ({ ...entry, by: actorOf(entry.actorId, userId) }));
  });
