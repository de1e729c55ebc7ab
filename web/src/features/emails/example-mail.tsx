import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useEffect } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { emailsText } from '../../messages/emails.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

/** Whatever the mail contains, the frame runs no script and leads nowhere: a link would open a window, which it may not. */
const inFrame = (html: string): string => html.replace('<head>', '<head><base target="_blank">');

const SendTest = ({ name }: { name: string }): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.sendExampleMail, { name }, { token });
    dispatch(toasts.added(emailsText('sent')));
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(failure.message, true));
  }, [failure, dispatch]);
  return (
    <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
      {emailsText('send')}
    </Button>
  );
};

type NamedProps = { name: string };

/** One email with the values of its example, as it is sent. */
export const ExampleMail = ({ name }: NamedProps): ReactNode => (
  <QueryView
    query={useQuery('system', publicEndpoints.exampleMail, { name })}
    skeleton={
      <Skeleton label={emailsText('loadingOne')}>
        <SkeletonPanel lines={8} />
      </Skeleton>
    }
    errorTitle={emailsText('failedOne')}
  >
    {({ subject, text, html }) => (
      <div className="stack">
        <Panel
          title={subject}
          note={emailsText('html')}
          isBare
          end={
            <div className="panel-tools">
              <ButtonLink to={paths.adminEmails}>{emailsText('back')}</ButtonLink>
              <SendTest name={name} />
            </div>
          }
        >
          <iframe className="mail-frame" sandbox="" title={subject} srcDoc={inFrame(html)} />
        </Panel>
        <Panel title={emailsText('text')}>
          <p className="mail-text">{text}</p>
        </Panel>
      </div>
    )}
  </QueryView>
);
