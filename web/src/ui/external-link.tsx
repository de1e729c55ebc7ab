import type { ReactNode } from 'react';
import { controlText } from '../messages/controls.ts';

type ExternalLinkProps = { href: string | undefined; className?: string; children: ReactNode };

/** A link that opens in a new tab. Without an address it is a disabled link. */
export const ExternalLink = ({ href, className, children }: ExternalLinkProps): ReactNode => {
  if (href === undefined)
    return (
      <a className={className} role="link" aria-disabled="true">
        {children}
      </a>
    );
  return (
    <a className={className} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden">{controlText('newTab')}</span>
    </a>
  );
};
