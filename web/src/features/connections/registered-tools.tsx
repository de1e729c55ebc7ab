import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { RegisteredTool } from '@shortlist/contracts/api/connected-apps';
import { LOCALE } from '@shortlist/contracts/messages';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { tableDate } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { shellText } from '../../messages/shell.ts';
import { toolScopeText, toolsText } from '../../messages/tools.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { EmptyState } from '../../ui/query-view.tsx';
import { ToolLogo } from '../../ui/tool-logo.tsx';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';

export const useRegisteredTools = () => useQuery('system', publicEndpoints.tools, {});

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

/** One press is enough: the app only may be connected again. */
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

const ChangeTool = ({ tool }: ToolProps): ReactNode =>
  tool.disabledAt === null ? <Disable tool={tool} /> : <Enable tool={tool} />;

const ClientId = ({ tool: { id, name } }: ToolProps): ReactNode => {
  const { isCopied, copy } = useCopy();
  return (
    <span className="tool-id">
      <code className="key-hint">{id}</code>
      <IconButton
        isSmall
        isReadOnly
        label={isCopied ? toolsText('idCopied') : toolsText('copyId', { name })}
        icon={isCopied ? <Check {...ICON} /> : <Copy {...ICON} />}
        onClick={() => void copy(id)}
      />
    </span>
  );
};

const Name = ({ tool }: ToolProps): ReactNode => {
  const { name, logo, isVerified } = tool;
  return (
    <span className="tool-name">
      <ToolLogo logo={logo} />
      <span>
        <bdi>{name}</bdi>{' '}
        <Badge tone={isVerified ? undefined : 'warn'}>
          {toolsText(isVerified ? 'verified' : 'unverified')}
        </Badge>
        <ClientId tool={tool} />
      </span>
    </span>
  );
};

/** The rights as one phrase: Read credits and usage, use credits. */
const rightsOf = ({ scopes }: RegisteredTool): string => {
  const text = new Intl.ListFormat(LOCALE, { type: 'unit' }).format(
    scopes.map((scope) => toolScopeText(scope)),
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const Rights = ({ tool }: ToolProps): ReactNode => (
  <>
    {rightsOf(tool)}
    {tool.redirectUris.length === 0 && <small className="data-table-note">{toolsText('noRedirect')}</small>}
    {tool.redirectUris.map((address) => (
      <small key={address} className="data-table-note tool-address">
        {toolsText.rich<ReactNode>('redirect', {
          address: (
            <bdi key="address" dir="ltr">
              {address}
            </bdi>
          ),
        })}
      </small>
    ))}
  </>
);

const Note = ({ children }: { children: string }): ReactNode => (
  <small className="data-table-note">
    <span className="nowrap">{children}</span>
  </small>
);

const State = ({ tool: { createdAt, disabledAt } }: ToolProps): ReactNode => (
  <>
    {disabledAt === null ? (
      toolsText('enabled')
    ) : (
      <>
        <Badge tone="warn">{toolsText('disabled')}</Badge>
        <Note>{toolsText('disabledOn', { day: tableDate(disabledAt) })}</Note>
      </>
    )}
    <Note>{toolsText('registered', { day: tableDate(createdAt) })}</Note>
  </>
);

const ToolRow = ({ tool }: ToolProps): ReactNode => (
  <tr>
    <td className="data-table-name">
      <Name tool={tool} />
    </td>
    <td data-label={toolsText('may')}>
      <Rights tool={tool} />
    </td>
    <td data-label={toolsText('users')} className="num">
      {toolsText('userCount', { users: tool.users })}
    </td>
    <td data-label={toolsText('state')} className="num">
      <State tool={tool} />
    </td>
    <td>
      <ChangeTool tool={tool} />
    </td>
  </tr>
);

const HEADS = ['tool', 'may', 'users', 'state', 'actions'] as const;

/** Every app that an operator has registered. */
export const ToolsTable = ({ tools }: { tools: RegisteredTool[] }): ReactNode => (
  <section className="panel" aria-label={shellText('connectedTools')}>
    {tools.length === 0 ? (
      <EmptyState>{toolsText('none')}</EmptyState>
    ) : (
      <div className="table-scroll" tabIndex={0} role="region" aria-label={shellText('connectedTools')}>
        <table className="data-table is-stacked">
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th key={head} scope="col">
                  {toolsText(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tools.map((tool) => (
              <ToolRow key={tool.id} tool={tool} />
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
