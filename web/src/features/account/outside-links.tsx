import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import Download from 'lucide-react/icons/download';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';

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

type Entry = (typeof ENTRIES)[number];

/** While its address is not known it is words that lead nowhere. */
const OutsideLink = ({ entry, href }: { entry: Entry; href: string | undefined }): ReactNode => {
  const { label, words, Icon } = entry;
  const icon = <Icon size={18} strokeWidth={1.75} aria-hidden="true" />;
  if (href === undefined)
    return (
      <a role="link" aria-disabled="true">
        {label} <span>{words}</span>
        {icon}
      </a>
    );
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {label} <span>{words}</span>
      <span className="visually-hidden">(opens in a new tab)</span>
      {icon}
    </a>
  );
};

export const OutsideLinks = ({ links }: OutsideLinksProps): ReactNode => (
  <nav className="panel links" aria-label="Your tools">
    {ENTRIES.map((entry) => (
      <OutsideLink key={entry.name} entry={entry} href={links[entry.name]} />
    ))}
  </nav>
);
