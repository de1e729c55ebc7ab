import type { CurrentNotices } from '@shortlist/contracts/api/notices';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { hours, seconds } from '@shortlist/contracts/durations';
import { NOTICES_MAX } from '@shortlist/contracts/limits';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { now } from '../../lib/dates.ts';
import { CURRENT_NOTICES, DISMISSED_NOTICES, readItem, removeItem, writeItem } from '../../lib/storage.ts';
import { shellText } from '../../messages/shell.ts';
import { IconButton } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import { NoticeBar } from './notice-bar.tsx';

/** A browser's clock may be wrong, so a page may have to ask more than once. */
const SHORTEST_MS = seconds(15);
/** A timer counts 24 days at most. */
const LONGEST_MS = hours(6);
/** All open pages know the same time. */
const SPREAD_MS = seconds(20);

/** Reads the notices again when one begins or ends. */
const useNoticeTimes = (changesAt: string | null, read: () => Promise<unknown>): void => {
  useEffect(() => {
    if (changesAt === null) return undefined;
    const time = Date.parse(changesAt);
    let timer: ReturnType<typeof setTimeout>;
    const schedule = (): void => {
      const left = Math.min(Math.max(time - now(), SHORTEST_MS), LONGEST_MS);
      timer = setTimeout(
        () => {
          if (now() >= time) void read();
          schedule();
        },
        left + Math.random() * SPREAD_MS,
      );
    };
    schedule();
    return () => clearTimeout(timer);
  }, [changesAt, read]);
};

const readDismissed = (): string[] => (readItem(DISMISSED_NOTICES) ?? '').split(' ');

/** The notices that were dismissed in this browser, the newest last. */
const useDismissed = () => {
  const [dismissed, setDismissed] = useState(readDismissed);
  const dismiss = (id: string): void => {
    const ids = [...readDismissed(), id].slice(-2 * NOTICES_MAX); // other tabs dismiss, too
    setDismissed(ids);
    writeItem(DISMISSED_NOTICES, ids.join(' '));
  };
  return { dismissed, dismiss };
};

/** None if one has begun or ended since, or if another release has written them. */
const readRemembered = (): CurrentNotices | undefined => {
  try {
    const known = JSON.parse(readItem(CURRENT_NOTICES) ?? '{}') as Partial<CurrentNotices>;
    const { notices, changesAt = null } = known;
    if (!Array.isArray(notices) || (changesAt !== null && Date.parse(changesAt) <= now())) return undefined;
    return { notices, changesAt };
  } catch {
    return undefined;
  }
};

/** Remembers the notices, so that they are part of the first paint of each page and move nothing when the server has responded. */
const useCurrentNotices = () => {
  const [remembered] = useState(readRemembered);
  const options = remembered === undefined ? {} : { fallbackData: remembered };
  const query = useQuery('notices', publicEndpoints.currentNotices, {}, options);
  const { data } = query;
  useEffect(() => {
    if (data?.notices.length === 0) removeItem(CURRENT_NOTICES);
    else if (data !== undefined) writeItem(CURRENT_NOTICES, JSON.stringify(data));
  }, [data]);
  return query;
};

/** The first notice that the user has not dismissed. The region is there before it, so that screen readers announce it. */
export const CurrentNotice = (): ReactNode => {
  const { data, mutate } = useCurrentNotices();
  const { dismissed, dismiss } = useDismissed();
  useNoticeTimes(data?.changesAt ?? null, mutate);
  const notice = data?.notices.find(({ id }) => !dismissed.includes(id));
  return (
    <div aria-live="polite">
      {notice !== undefined && (
        <NoticeBar notice={notice}>
          <IconButton
            isSmall
            label={shellText('dismissNotice')}
            icon={<X {...ICON} />}
            onClick={() => {
              focusHeading();
              dismiss(notice.id);
            }}
          />
        </NoticeBar>
      )}
    </div>
  );
};
