import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { shellText } from '../messages/shell.ts';

export type FooterProps = { brand: string; links: Partial<PublicConfig['links']> };

export const Footer = ({ brand, links }: FooterProps): ReactNode => (
  <footer className="page-footer">
    <span>{shellText('copyright', { brand })}</span>
    {links.privacy && (
      <a href={links.privacy} target="_blank" rel="noopener noreferrer">
        {shellText('privacy')}
      </a>
    )}
    {links.terms && (
      <a href={links.terms} target="_blank" rel="noopener noreferrer">
        {shellText('terms')}
      </a>
    )}
  </footer>
);
