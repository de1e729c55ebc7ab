import { UNSUBSCRIBABLE_KINDS, type UnsubscribableKind } from '@shortlist/contracts/api/email';
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

/** What the token of a link turns off: null if it names no kind that this page knows. Whether it is valid, only its use says. */
const kindOf = (token: string): UnsubscribableKind | null =>
  UNSUBSCRIBABLE_KINDS.find((kind) => token.startsWith(`${kind}.`)) ?? null;

const SETTINGS = {
  credits: { to: paths.credits, label: unsubscribeText('toCredits') },
  news: { to: paths.profile, label: unsubscribeText('toProfile') },
} as const satisfies Record<UnsubscribableKind, { to: string; label: string }>;

/** Where these emails are turned on and off. */
const ToSettings = ({ kind }: { kind: UnsubscribableKind | null }): ReactNode => {
  const kinds = kind === null ? UNSUBSCRIBABLE_KINDS : [kind];
  return (
    <div className="button-row">
      {kinds.map((one, index) => (
        <ButtonLink key={one} variant={index === 0 ? 'primary' : 'plain'} to={SETTINGS[one].to}>
          {SETTINGS[one].label}
        </ButtonLink>
      ))}
    </div>
  );
};

const Done = ({ kind }: { kind: UnsubscribableKind }): ReactNode => (
  <>
    <AuthHead title={unsubscribeText('done')} isDone>
      <p>{unsubscribeText(`done_${kind}`)}</p>
    </AuthHead>
    <ToSettings kind={kind} />
  </>
);

const Ended = ({ kind }: { kind: UnsubscribableKind | null }): ReactNode => (
  <>
    <AuthHead title={unsubscribeText('ended')}>
      <p>{unsubscribeText(`ended_${kind ?? 'any'}`)}</p>
    </AuthHead>
    <ToSettings kind={kind} />
  </>
);

const isRefused = (failure: Failure | null): boolean =>
  failure?.code === 'worker.unsubscribe_refused' || failure?.code === 'request.invalid';

/** A button, so that a program which opens the links of a mail turns off nothing. */
const Unsubscribe = ({ token, kind }: { token: string; kind: UnsubscribableKind }): ReactNode => {
  const [isDone, setIsDone] = useState(false);
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.unsubscribe, { token });
    setIsDone(true);
    await revalidate(['profile']); // with the setting, in case the reader is signed in
  });
  if (isDone) return <Done kind={kind} />;
  if (isRefused(failure)) return <Ended kind={kind} />;
  return (
    <>
      <AuthHead title={unsubscribeText(`title_${kind}`)}>
        <p>{unsubscribeText(`text_${kind}`)}</p>
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
  const token = useSearchParams()[0].get('token') ?? '';
  const kind = kindOf(token);
  const pageTitle = unsubscribeText(kind === null ? 'ended' : `title_${kind}`);
  usePageInfo({ pageName: 'unsubscribe', pageTitle, pageDescription: '' });
  return (
    <AuthLayout config={useConfig()} home={paths.home}>
      {kind === null ? <Ended kind={null} /> : <Unsubscribe token={token} kind={kind} />}
    </AuthLayout>
  );
};

export default UnsubscribePage;
