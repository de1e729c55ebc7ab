import { nameOfTool, namesOfTools } from '@shortlist/contracts/credit-history';
import { useMemo } from 'react';
import { useApiKeys } from '../../lib/data/use-api-keys.ts';

/** The name of the tool with a key, also of a deleted one; null stands for the browser. */
export type ToolName = (clientId: string | null) => string;

export const useToolNames = (): ToolName => {
  const { data } = useApiKeys();
  return useMemo(() => {
    const names = namesOfTools(data ?? []);
    return (clientId) => nameOfTool(names, clientId);
  }, [data]);
};
