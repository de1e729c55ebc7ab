import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import { useId, type ReactNode } from 'react';
import { accountText } from '../../messages/account.ts';
import { ExternalLink } from '../../ui/external-link.tsx';

type ToolLinksProps = { links: Partial<PublicConfig['links']> };

const ENTRIES = [
  { name: 'automationBot', description: 'automationBotText' },
  { name: 'crm', description: 'crmText' },
  { name: 'about', description: 'aboutText' },
] as const;

export const ToolLinks = ({ links }: ToolLinksProps): ReactNode => {
  const id = useId();
  return (
    <nav className="panel tool-links" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>{accountText('tools')}</h2>
      </div>
      {ENTRIES.map(({ name, description }) => (
        <ExternalLink key={name} href={links[name]}>
          {accountText(name)} <span>{accountText(description)}</span>
          <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </ExternalLink>
      ))}
    </nav>
  );
};
