import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { RegisteredTool } from '@shortlist/contracts/api/tools';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { toolsText } from '../../messages/tools.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';

type ToolProps = { tool: RegisteredTool };

type Change = { endpoint: 'disableTool' | 'enableTool'; done: string; onDone?: () => void };

const useChange = ({ id }: RegisteredTool, { endpoint, done, onDone }: Change) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (): Promise<void> => {
    await call(publicEndpoints[endpoint], { toolId: id }, { token });
    await revalidate(['system']);
    dispatch(toasts.added(done));
    onDone?.();
  });
};

const DisableDialog = ({ tool, onClose }: ToolProps & { onClose: () => void }): ReactNode => {
  // How many the dialog speaks of stays while it is open.
  const [{ name, users }] = useState(tool);
  const command = useChange(tool, {
    endpoint: 'disableTool',
    done: toolsText('isDisabled', { name }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={toolsText('disableThis', { name })}
      confirmLabel={toolsText('disableIt', { users })}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{toolsText('disableUsers', { users })}</p>
      <p>{toolsText('disableText')}</p>
    </ConfirmDialog>
  );
};

const Disable = ({ tool }: ToolProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      <Button
        isSmall
        aria-label={toolsText('disableThis', { name: tool.name })}
        onClick={() => setIsOpen(true)}
      >
        {toolsText('disable')}
      </Button>
      {isOpen && <DisableDialog tool={tool} onClose={close} />}
    </>
  );
};

/** One press is enough: the tool only may be connected again. */
const Enable = ({ tool }: ToolProps): ReactNode => {
  const { name } = tool;
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useChange(tool, {
    endpoint: 'enableTool',
    done: toolsText('isEnabled', { name }),
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(failure.message, true));
  }, [failure, dispatch]);
  return (
    <Button isSmall isBusy={isBusy} aria-label={toolsText('enableThis', { name })} onClick={() => void run()}>
      {toolsText('enable')}
    </Button>
  );
};

export const ChangeTool = ({ tool }: ToolProps): ReactNode =>
  tool.disabledAt === null ? <Disable tool={tool} /> : <Enable tool={tool} />;
