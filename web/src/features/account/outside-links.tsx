import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import { useId, type ReactNode } from 'react';
import { OutsideLink } from '../../ui/outside-link.tsx';

type OutsideLinksProps = { links: Partial<PublicConfig['links']> };

const ENTRIES = [
  {
    name: 'automationBot',
    label: 'Download Automation Bot',
    words: 'Finds and invites people on LinkedIn while you work',
  },
  { name: 'crm', label: 'Go To CRM', words: 'Every candidate and conversation in one place' },
  { name: 'about', label: 'About Us', words: 'Who builds this and how to reach us' },
] as const;

export const OutsideLinks = ({ links }: OutsideLinksProps): ReactNode => {
  const id = useId();
  return (
    <nav className="panel links" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>Your tools</h2>
      </div>
      {ENTRIES.map(({ name, label, words }) => (
        <OutsideLink key={name} href={links[name]}>
          {label} <span>{words}</span>
          <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
        </OutsideLink>
      ))}
    </nav>
  );
};
