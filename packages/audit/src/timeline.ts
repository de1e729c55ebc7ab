import {
  itemsOf,
  timelineEndpoint,
  type TimelineEntry,
  type TimelineItem,
  type TimelineQuery,
} from '@shortlist/contracts/api/timeline';
import type { Db } from '@shortlist/kit/data/db';
import { type NewestFirst, readNewest } from '@shortlist/kit/data/newest-first';
import type { Router } from '@shortlist/kit/http/router';
import { listChanges, type Told } from './queries.ts';

/** The entries of a service, by their items. */
export type TimelineLists = Partial<Record<TimelineItem, NewestFirst<TimelineQuery, TimelineEntry>>>;

/**
 * The endpoint through which a service returns its part of a user's timeline: these lists, and the changes that it records, without those that
 * one of the lists tells.
 */
export const addTimelineEndpoint = (
  router: Router,
  { manager }: Db,
  lists: TimelineLists = {},
  told?: Told,
): void => {
  const all: TimelineLists = { ...lists, change: (page) => listChanges(manager, page, told) };
  router.add(timelineEndpoint, async ({ input }) => ({ data: await readNewest(all, itemsOf(input), input) }));
};
