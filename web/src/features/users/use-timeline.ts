import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { TimelineKind, TimelineSource, TimelineView } from '@shortlist/contracts/api/timeline';
import { TIMELINE_PAGE, TIMELINE_PAGE_MAX } from '@shortlist/contracts/limits';
import { useState } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import type { QueryKey } from '../../lib/data/use-query.ts';
import { useAdminToken } from '../../lib/state/hooks.tsx';

type Filter = { userId: string; kind: TimelineKind | null };
type Timeline = { data: TimelineView[]; next: string | null; missing: TimelineSource[] };

/** Reads the newest `size` entries, in as few pages as possible. */
const readTimeline = async (token: string, { userId, kind }: Filter, size: number): Promise<Timeline> => {
  const data: TimelineView[] = [];
  const missing = new Set<TimelineSource>();
  let next: string | null = null;
  do {
    const limit = Math.min(size - data.length, TIMELINE_PAGE_MAX);
    const input = { userId, limit, ...(kind && { kind }), ...(next !== null && { before: next }) };
    const page: Timeline = await call(publicEndpoints.timeline, input, { token });
    data.push(...page.data);
    for (const source of page.missing) missing.add(source);
    next = page.data.length === 0 ? null : page.next;
  } while (next !== null && data.length < size);
  return { data, next, missing: [...missing] };
};

/**
 * The timeline of a user, and what appends older entries. All entries are read again together, as pages that are read apart would repeat or
 * lose some once a new entry has moved the others.
 */
export const useTimeline = (filter: Filter) => {
  const token = useAdminToken();
  const [size, setSize] = useState(TIMELINE_PAGE);
  const { path } = publicEndpoints.timeline;
  const key: QueryKey | null = token === null ? null : ['directory', token, path, { ...filter, size }];
  const query = useSWR<Timeline, unknown>(key, () => readTimeline(token ?? '', filter, size), {
    keepPreviousData: true,
  });
  const showOlder = (): void => {
    if (query.error === undefined) setSize(size + TIMELINE_PAGE);
    else void query.mutate();
  };
  return { query, showOlder };
};
