import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import Download from 'lucide-react/icons/download';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { OutsideLink } from '../../ui/outside-link.tsx';

type OutsideLinksProps = { links: Partial<PublicConfig['links']> };

const ENTRIES = [
  {
    name: 'automationBot',
    label: 'Download Automation Bot',
    words: 'LinkedIn agent for your desktop',
    Icon: Download,
  },
  { name: 'crm', label: 'Go To CRM', words: 'Candidates and pipelines', Icon: ArrowUpRight },
  { name: 'about', label: 'About Us', words: 'Who we are', Icon: ArrowUpRight },
] as const;

export const OutsideLinks = ({ links }: OutsideLinksProps): ReactNode => (
  <nav className="panel links" aria-label="Your tools">
    {ENTRIES.map(({ name, label, words, Icon }) => (
      <OutsideLink key={name} href={links[name]}>
        {label} <span>{words}</span>
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      </OutsideLink>
    ))}
  </nav>
);
