import type { Notice } from '@shortlist/contracts/api/notices';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { seconds } from '@shortlist/contracts/durations';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortTime } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { useTime } from '../../lib/use-time.ts';
import { audienceText, noticesText } from '../../messages/notices.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/query-view.tsx';
import { ChangeNotice } from './notice-form.tsx';
import { noticesAt } from './notices.rules.ts';

export const useNotices = () => useQuery('notices', publicEndpoints.notices, {});

type NoticeDialogProps = { notice: Notice; onClose: () => void };

const EndNotice = ({ notice, onClose }: NoticeDialogProps): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.endNotice, { noticeId: notice.id }, { token });
    await revalidate(['notices']);
    dispatch(toasts.added(noticesText('ended')));
    onClose();
  });
  return (
    <ConfirmDialog
      title={noticesText('endTitle')}
      confirmLabel={noticesText('endButton')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{notice.text}</p>
      <p>{noticesText('endText')}</p>
    </ConfirmDialog>
  );
};

const spanOf = ({ tone, audience, from, until }: Notice): string =>
  noticesText(tone === 'warn' ? 'spanOfWarning' : 'span', {
    audience: audienceText(audience),
    from: shortTime(from),
    until: shortTime(until),
  });

const NoticeActions = ({ notice }: { notice: Notice }): ReactNode => {
  const [open, setOpen] = useState<'change' | 'end' | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const { text } = notice;
  return (
    <>
      <Button isSmall aria-label={noticesText('changeThis', { text })} onClick={() => setOpen('change')}>
        {noticesText('change')}
      </Button>
      <Button isSmall aria-label={noticesText('endThis', { text })} onClick={() => setOpen('end')}>
        {noticesText('end')}
      </Button>
      {open === 'change' && <ChangeNotice notice={notice} onClose={close} />}
      {open === 'end' && <EndNotice notice={notice} onClose={close} />}
    </>
  );
};

type GroupProps = { title: string; empty: string; notices: Notice[]; isOver?: boolean };

const Group = ({ title, empty, notices, isOver = false }: GroupProps): ReactNode => (
  <Panel title={title} isBare>
    {notices.length === 0 ? (
      <EmptyState>{empty}</EmptyState>
    ) : (
      <Lines>
        {notices.map((notice) => (
          <Line key={notice.id} title={notice.text} note={spanOf(notice)}>
            {!isOver && <NoticeActions notice={notice} />}
          </Line>
        ))}
      </Lines>
    )}
  </Panel>
);

/** Soon enough after one begins or ends. */
const STEP_MS = seconds(5);

/** The notices by what they are now. */
export const NoticeList = ({ notices }: { notices: Notice[] }): ReactNode => {
  const groups = noticesAt(notices, useTime(STEP_MS));
  return (
    <div className="stack">
      <Group title={noticesText('now')} empty={noticesText('noneNow')} notices={groups.now} />
      <Group title={noticesText('planned')} empty={noticesText('nonePlanned')} notices={groups.planned} />
      <Group title={noticesText('over')} empty={noticesText('noneOver')} notices={groups.over} isOver />
    </div>
  );
};
