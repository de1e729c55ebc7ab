import type { FactorsView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useLocation } from 'react-router-dom';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { isAdminPath } from '../../lib/paths.ts';
import { useAdminToken, useUserToken } from '../../lib/state/hooks.tsx';

/** The token of the area that the page belongs to: users and admins have the same settings. */
export const useAreaToken = (): string | null => {
  const isAdmin = isAdminPath(useLocation().pathname);
  const [user, admin] = [useUserToken(), useAdminToken()];
  return isAdmin ? admin : user;
};

export const useFactors = () => {
  const token = useAreaToken();
  return useSWR<FactorsView, unknown>(
    token === null ? null : ['factors', token],
    async () => (await call(publicEndpoints.factors, {}, { token })).data,
  );
};
