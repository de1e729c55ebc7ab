import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Failure } from '../lib/api/api-error.ts';
import { call } from '../lib/api/call.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { revalidate } from '../lib/data/use-query.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { useCommand } from '../lib/state/use-command.ts';
import { unsubscribeText } from '../messages/unsubscribe.ts';
import { FailureAlert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { AuthHead, AuthLayout } from '../ui/page-frame.tsx';

const toCredits = (
  <ButtonLink variant="primary" to={paths.credits}>
    {unsubscribeText('toCredits')}
  </ButtonLink>
);

const Done = (): ReactNode => (
  <>
    <AuthHead title={unsubscribeText('done')} isDone>
      <p>{unsubscribeText('doneText')}</p>
    </AuthHead>
    {toCredits}
  </>
);

const Ended = (): ReactNode => (
  <>
    <AuthHead title={unsubscribeText('ended')}>
      <p>{unsubscribeText('endedText')}</p>
    </AuthHead>
    {toCredits}
  </>
);

const isRefused = (failure: Failure | null): boolean =>
  failure?.code === 'worker.unsubscribe_refused' || failure?.code === 'request.invalid';

/** A button, so that a program which opens the links of a mail turns off nothing. */
const Unsubscribe = ({ token }: { token: string }): ReactNode => {
  const [isDone, setIsDone] = useState(false);
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.unsubscribe, { token });
    setIsDone(true);
    await revalidate(['profile']); // with the setting, in case the reader is signed in
  });
  if (isDone) return <Done />;
  if (isRefused(failure)) return <Ended />;
  return (
    <>
      <AuthHead title={unsubscribeText('title')}>
        <p>{unsubscribeText('text')}</p>
      </AuthHead>
      {failure !== null && <FailureAlert failure={failure} />}
      <Button variant="primary" isBusy={isBusy} onClick={() => void run()}>
        {unsubscribeText('turnOff')}
      </Button>
    </>
  );
};

/** The page of the link in emails that can be turned off. It needs no session. */
const UnsubscribePage = (): ReactNode => {
  usePageInfo({ pageName: 'unsubscribe', pageTitle: unsubscribeText('title'), pageDescription: '' });
  const token = useSearchParams()[0].get('token') ?? '';
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {token === '' ? <Ended /> : <Unsubscribe token={token} />}
    </AuthLayout>
  );
};

export default UnsubscribePage;
