import { nameOfTool, namesOfTools } from '@shortlist/contracts/credit-history';
import { useMemo } from 'react';
import { useTools } from '../../lib/data/use-tools.ts';

/** The name of a tool, also of one whose key is deleted or that is disconnected; null stands for the browser. */
export type ToolName = (clientId: string | null) => string;

export const useToolNames = (): ToolName => {
  const tools = useTools();
  return useMemo(() => {
    const names = namesOfTools(tools);
    return (clientId) => nameOfTool(names, clientId);
  }, [tools]);
};
