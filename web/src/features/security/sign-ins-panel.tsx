import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SignInView } from '@shortlist/contracts/api/sign-ins';
import type { ReactNode } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { useAdminToken, useUserToken } from '../../lib/state/hooks.ts';
import { signInsText } from '../../messages/sign-ins.ts';
import { QueryView, type QueryState } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/skeleton.tsx';
import { SignInList } from './sign-in-list.tsx';
import { useDevices } from './use-devices.ts';

const useOwnSignIns = () => {
  const token = useUserToken();
  return useSWR<SignInView[], unknown>(
    token === null ? null : ['sign-ins', token],
    async () => (await call(publicEndpoints.listSignIns, {}, { token })).data,
  );
};

const useUserSignIns = (userId: string) => {
  const token = useAdminToken();
  return useSWR<SignInView[], unknown>(
    token === null ? null : ['directory', token, 'sign-ins', userId],
    async () => (await call(publicEndpoints.listUserSignIns, { id: userId }, { token })).data,
  );
};

const View = ({ query, isOwn }: { query: QueryState<SignInView[]>; isOwn: boolean }): ReactNode => (
  <QueryView
    query={query}
    skeleton={
      <Skeleton label={signInsText('loading')}>
        <SkeletonPanel lines={4} />
      </Skeleton>
    }
    errorTitle={signInsText('failed')}
  >
    {(signIns) => <SignInList signIns={signIns} isOwn={isOwn} />}
  </QueryView>
);

/** The recent log-ins of the user. They wait for the devices, which are above them and would push them down. */
export const SignInsPanel = (): ReactNode => {
  const devices = useDevices();
  const query = useOwnSignIns();
  const isEarly = devices.data === undefined && devices.error === undefined;
  return <View query={isEarly ? { ...query, data: undefined, error: undefined } : query} isOwn />;
};

/** The recent log-ins of a user, for admins. */
export const UserSignInsPanel = ({ userId }: { userId: string }): ReactNode => (
  <View query={useUserSignIns(userId)} isOwn={false} />
);
