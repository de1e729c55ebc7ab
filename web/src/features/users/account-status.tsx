import { readableEmail } from '@shortlist/contracts/unicode';
import type { AccountStatus } from '@shortlist/contracts/api/directory';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Suppression } from '@shortlist/contracts/api/email';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortTime, shortDay } from '../../lib/dates.ts';
import { May, useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/shell.ts';
import { suppressionText, supportText } from '../../messages/users.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { isSettled, type QueryState } from '../../ui/query-view.tsx';

/** Why a user cannot log in or pay. */
export const useAccountStatus = (id: string) => useQuery('directory', publicEndpoints.accountStatus, { id });

type UnknownPartProps = { query: QueryState<AccountStatus>; children: string };

/** Says that a part of the status is not known, because its service does not respond. */
export const UnknownPart = ({ query, children }: UnknownPartProps): ReactNode => (
  <div className="stack stack-s">
    <p>{children}</p>
    <Button isSmall isReadOnly isBusy={query.isValidating} onClick={() => void query.mutate()}>
      {controlText('retry')}
    </Button>
  </div>
);

type Access = Exclude<AccountStatus['access'], null>;

const unverifiedText = ({ blocksCheckout, confirmBy }: Access): string =>
  [
    supportText(blocksCheckout ? 'unverifiedCheckout' : 'unverified'),
    ...(confirmBy === null ? [] : [supportText('confirmBy', { day: shortDay(confirmBy) })]),
    supportText('unverifiedAdvice'),
  ].join(' ');

const useRetry = (id: string) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints.retryUserEmail, { id }, { token });
    dispatch(toasts.added(suppressionText('triedAgain')));
    await revalidate(['directory']);
  });
};

type SuppressionProps = { id: string; suppression: Suppression };

/** Why mails do not reach the user, with the way to have them sent again. */
const SuppressionNotice = ({ id, suppression: { kind, email, at, reason } }: SuppressionProps): ReactNode => {
  const { isBusy, failure, run } = useRetry(id);
  return (
    <Alert tone="warn">
      <div className="stack stack-s">
        <p>
          {suppressionText(kind, {
            email: readableEmail(email),
            day: shortDay(at),
            reason: reason || 'none',
          })}{' '}
          {suppressionText('advice')}
        </p>
        <May permission="users.edit">
          <Button isSmall isBusy={isBusy} onClick={() => void run()}>
            {suppressionText('tryAgain')}
          </Button>
        </May>
        {failure !== null && <FailureAlert failure={failure} />}
      </div>
    </Alert>
  );
};

/** What keeps the user from logging in, from subscribing, apart from the payment, or from reading mails. */
export const AccountNotices = ({ id }: { id: string }): ReactNode => {
  const query = useAccountStatus(id);
  if (!isSettled(query)) return null;
  const access = query.data?.access ?? null;
  if (access === null)
    return (
      <Alert tone="warn">
        <UnknownPart query={query}>{supportText('accessUnknown')}</UnknownPart>
      </Alert>
    );
  const { isVerified, lockedUntil, suppression } = access;
  return (
    <>
      {suppression && <SuppressionNotice id={id} suppression={suppression} />}
      {!isVerified && <Alert tone="warn">{unverifiedText(access)}</Alert>}
      {lockedUntil !== null && (
        <Alert tone="warn">{supportText('locked', { time: shortTime(lockedUntil) })}</Alert>
      )}
    </>
  );
};
