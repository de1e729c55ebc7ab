import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { RegisteredTool } from '@shortlist/contracts/api/tools';
import { LOCALE } from '@shortlist/contracts/messages';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import type { ReactNode } from 'react';
import { tableDate } from '../../lib/dates.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { toolScopeText, toolsText } from '../../messages/tools.ts';
import { IconButton } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ToolLogo } from '../../ui/tool-logo.tsx';
import { ChangeTool } from './change-tool.tsx';

export const useRegisteredTools = () => useQuery('system', publicEndpoints.tools, {});

type ToolProps = { tool: RegisteredTool };

const ClientId = ({ tool: { id, name } }: ToolProps): ReactNode => {
  const { isCopied, copy } = useCopy();
  return (
    <span className="tool-id">
      <code className="key-hint">{id}</code>
      <IconButton
        isSmall
        isHarmless
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
        <span className={isVerified ? 'tag nowrap' : 'tag is-warn nowrap'}>
          {toolsText(isVerified ? 'verified' : 'unverified')}
        </span>
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
        <span className="tag is-warn">{toolsText('disabled')}</span>
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
      {tool.users.toLocaleString(LOCALE)}
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

/** Every tool that an operator has registered. */
export const ToolsTable = ({ tools }: { tools: RegisteredTool[] }): ReactNode => (
  <section className="panel" aria-label={toolsText('title')}>
    {tools.length === 0 ? (
      <EmptyState>{toolsText('none')}</EmptyState>
    ) : (
      <div className="table-scroll" tabIndex={0} role="region" aria-label={toolsText('title')}>
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
