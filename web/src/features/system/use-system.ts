import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SystemView } from '@shortlist/contracts/system';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';

/** Billing repeats its checks every few minutes. */
const REFRESH_MS = 60_000;

export const useSystem = () => {
  const token = useAdminToken();
  return useSWR<SystemView, unknown>(
    token === null ? null : ['system', token],
    async () => (await call(publicEndpoints.system, {}, { token })).data,
    { refreshInterval: REFRESH_MS },
  );
};
