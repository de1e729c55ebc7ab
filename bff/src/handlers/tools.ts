import { publicToolEndpoints, toolEndpoints } from '@shortlist/contracts/api/tools';
import type { KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** Disables a tool at this and every other process at once; the event does it again in case this one stops before. */
export const disableToolEndpoint = ({ identity }: Services, keyStore: KeyStore): Route =>
  composed(publicToolEndpoints.disableTool, async ({ input, caller }) => {
    const { data } = await identity(toolEndpoints.disableTool, input, { caller });
    await keyStore.disableTool(input.toolId, data.generation);
    return { message: 'disabled' };
  });
