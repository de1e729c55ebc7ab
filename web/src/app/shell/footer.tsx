import type { ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';

export const Footer = (): ReactNode => {
  const { brand, links } = useConfig();
  return (
    <footer className="foot">
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
};
