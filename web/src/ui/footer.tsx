import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';

export type FooterProps = { brand: string; links: Partial<PublicConfig['links']> };

export const Footer = ({ brand, links }: FooterProps): ReactNode => (
  <footer className="page-footer">
    <span>© 2025 {brand}</span>
    {links.privacy && (
      <a href={links.privacy} target="_blank" rel="noopener noreferrer">
        Privacy
      </a>
    )}
    {links.terms && (
      <a href={links.terms} target="_blank" rel="noopener noreferrer">
        Terms
      </a>
    )}
  </footer>
);
