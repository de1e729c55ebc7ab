import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import { useId, type ReactNode } from 'react';
import { ExternalLink } from '../../ui/external-link.tsx';

type ToolLinksProps = { links: Partial<PublicConfig['links']> };

const ENTRIES = [
  {
    name: 'automationBot',
    label: 'Download Automation Bot',
    description: 'Finds and invites people on LinkedIn while you work',
  },
  { name: 'crm', label: 'Go To CRM', description: 'Every candidate and conversation in one place' },
  { name: 'about', label: 'About Us', description: 'Who builds this and how to reach us' },
] as const;

export const ToolLinks = ({ links }: ToolLinksProps): ReactNode => {
  const id = useId();
  return (
    <nav className="panel tool-links" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>Your tools</h2>
      </div>
      {ENTRIES.map(({ name, label, description }) => (
        <ExternalLink key={name} href={links[name]}>
          {label} <span>{description}</span>
          <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </ExternalLink>
      ))}
    </nav>
  );
};
