import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeviceView } from '@shortlist/contracts/api/public-sessions';
import { useCallback } from 'react';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { useUserToken } from '../../lib/state/hooks.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { focusHeading } from '../../ui/focus-heading.ts';

export const useDevices = () => {
  const token = useUserToken();
  return useSWR<DeviceView[], unknown>(
    token === null ? null : ['devices', token],
    async () => (await call(publicEndpoints.listDevices, {}, { token })).data,
  );
};

/** Ends one session by its id. */
export const useEndSession = (onEnded: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(
    useCallback(
      async (id: string): Promise<void> => {
        await call(publicEndpoints.endSession, { id }, { token });
        // The button goes with its line.
        focusHeading();
        await onEnded();
      },
      [token, onEnded],
    ),
  );
};

/** Ends all sessions but this one. */
export const useEndOthers = (onEnded: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.endOtherSessions, {}, { token });
      await onEnded();
    }, [token, onEnded]),
  );
};
