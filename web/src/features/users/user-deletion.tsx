import type { DeletionView } from '@shortlist/contracts/api/privacy';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { longDate } from '../../lib/dates.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';
import { privacyText } from '../../messages/privacy.ts';
import { Alert } from '../../ui/alert.tsx';

/** A notice about a user who has requested to delete the account. */
export const UserDeletion = ({ userId }: { userId: string }): ReactNode => {
  const token = useAdminToken();
  const { data } = useSWR<DeletionView | null, unknown>(
    token === null ? null : ['directory', token, 'deletion', userId],
    async () => (await call(publicEndpoints.userDeletion, { id: userId }, { token })).data,
  );
  if (!data) return null;
  return <Alert tone="warn">{privacyText('userLeaving', { date: longDate(data.dueAt) })}</Alert>;
};
