import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Team } from '@shortlist/contracts/api/team';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';

export const useTeam = () => {
  const token = useAdminToken();
  return useSWR<Team, unknown>(
    token === null ? null : ['directory', token, 'team'],
    async () => (await call(publicEndpoints.team, {}, { token })).data,
  );
};
