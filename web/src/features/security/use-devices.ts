import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeviceView, TrustedDeviceView } from '@shortlist/contracts/api/public-sessions';
import { useCallback } from 'react';
import useSWR, { useSWRConfig } from 'swr';
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

const trustedDevicesKey = (token: string | null) => token && ['trusted-devices', token];

/** The devices that skip the second step. */
export const useTrustedDevices = () => {
  const token = useUserToken();
  return useSWR<TrustedDeviceView[], unknown>(
    trustedDevicesKey(token),
    async () => (await call(publicEndpoints.listTrustedDevices, {}, { token })).data,
  );
};

/** Makes a device take the second step again. */
export const useRemoveTrusted = (onRemoved: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(
    useCallback(
      async (id: string): Promise<void> => {
        await call(publicEndpoints.removeTrustedDevice, { id }, { token });
        // The button goes with its line.
        focusHeading();
        await onRemoved();
      },
      [token, onRemoved],
    ),
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

/** Ends all sessions but this one, and with them every trust in a device. */
export const useEndOthers = (onEnded: () => Promise<unknown>) => {
  const token = useUserToken();
  const { mutate } = useSWRConfig();
  return useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.endOtherSessions, {}, { token });
      await Promise.all([onEnded(), mutate(trustedDevicesKey(token))]);
    }, [token, onEnded, mutate]),
  );
};
