import { publicEndpoints } from '@shortlist/contracts/api/public';
import { hours, seconds } from '@shortlist/contracts/durations';
import { NOTICES_MAX } from '@shortlist/contracts/limits';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { now } from '../../lib/dates.ts';
import { DISMISSED_NOTICES, readItem, writeItem } from '../../lib/storage.ts';
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

/** The first notice that the user has not dismissed. The region is there before it, so that screen readers announce it. */
export const CurrentNotice = (): ReactNode => {
  const { data, mutate } = useQuery('notices', publicEndpoints.currentNotices, {});
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
