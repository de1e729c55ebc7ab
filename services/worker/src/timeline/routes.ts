import { itemsOf, timelineEndpoint, type TimelineEntry } from '@shortlist/contracts/api/timeline';
import type { Db } from '@shortlist/kit/data/db';
import { type Position, readNewest } from '@shortlist/kit/data/newest-first';
import type { Router } from '@shortlist/kit/http/router';
import { shownState, unsentReason } from '../mail/delivery.rules.ts';
import { listNewestMails, TIMELINE_PREFIX } from '../mail/queries.ts';
import { subjectOf } from '../mail/templates.ts';

type Parts = { db: Db; brand: string };
type Page = { userId: string; position: Position; limit: number };

const listEmails = async ({ db, brand }: Parts, page: Page): Promise<TimelineEntry[]> =>
  (await listNewestMails(db.manager, page)).map((mail) => {
    const why = unsentReason(mail);
    return {
      id: `${TIMELINE_PREFIX}${mail.id}`,
      at: mail.createdAt.toISOString(),
      email: {
        subject: subjectOf(mail, brand),
        state: shownState(mail),
        ...(why !== undefined && { why }),
      },
    };
  });

export const addTimelineEndpoint = (router: Router, parts: Parts): void => {
  router.add(timelineEndpoint, async ({ input }) => ({
    data: await readNewest({ email: (page) => listEmails(parts, page) }, itemsOf(input), input),
  }));
};
