import { publicEndpoints } from '@shortlist/contracts/api/public';
import { namedConnection, nameOfTool, namesOfTools } from '@shortlist/contracts/credit-history';
import { useMemo } from 'react';
import { useQuery } from './use-query.ts';

/** All API keys of the user, also those that are revoked or expired, the newest first. */
export const useApiKeys = () => useQuery('connections', publicEndpoints.listApiKeys, {});

/** All apps that the user has ever connected, also those that are disconnected, the newest first. */
export const useConnections = () => useQuery('connections', publicEndpoints.listConnections, {});

/** A key or a connected app, as the history of credits names it. `isGone`: deleted or disconnected. */
export type NamedTool = { id: string; name: string; hint: string; isGone: boolean };

/** What could have charged credits of the user. */
export const useTools = (): NamedTool[] => {
  const { data: keys } = useApiKeys();
  const { data: connections } = useConnections();
  return useMemo(
    () => [
      ...(connections ?? []).map((tool) => ({ ...namedConnection(tool), isGone: tool.endedAt !== null })),
      ...(keys ?? []).map(({ id, name, hint, revokedAt }) => ({
        id,
        name,
        hint,
        isGone: revokedAt !== null,
      })),
    ],
    [keys, connections],
  );
};

/** The name of an app, also of one whose key is deleted or that is disconnected; null stands for the browser. */
export type ToolName = (clientId: string | null) => string;

export const useToolNames = (): ToolName => {
  const tools = useTools();
  return useMemo(() => {
    const names = namesOfTools(tools);
    return (clientId) => nameOfTool(names, clientId);
  }, [tools]);
};
