import { readableEmail } from '@shortlist/contracts/unicode';
import { type ReactNode, useState } from 'react';
import { controlText } from '../messages/shell.ts';
import Check from 'lucide-react/icons/check';

/** The look of every icon. The text beside it, or its button, has the name. */
export const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

export const Badge = ({
  tone,
  children,
}: {
  /** Without one, the word alone says it. */
  tone?: 'premium' | 'good' | 'warn' | undefined;
  children: ReactNode;
}): ReactNode => <span className={tone === undefined ? 'badge' : `badge is-${tone}`}>{children}</span>;

/** Above the heading of a page that reports a success. */
export const DoneMark = (): ReactNode => (
  <span className="done-mark" aria-hidden="true">
    <Check size={22} strokeWidth={2} />
  </span>
);

/** An email as people read it, in its own direction. */
export const Email = ({ children }: { children: string }): ReactNode => <bdi>{readableEmail(children)}</bdi>;

/** An email that stands out in a sentence. */
export const StrongEmail = ({ children }: { children: string }): ReactNode => (
  <strong>
    <Email>{children}</Email>
  </strong>
);

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

type AvatarProps = {
  name: string;
  /** The URL of the picture. Without one, or if it cannot be loaded, the initials are shown. */
  src?: string | null;
  size?: 'small' | 'medium' | 'large';
  /** Set where the name is not next to the picture. */
  alt?: string;
};

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => [...part][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

export const Avatar = ({ name, src = null, size = 'medium', alt = '' }: AvatarProps): ReactNode => {
  const [broken, setBroken] = useState<string | null>(null);
  const isPicture = src !== null && src !== broken;
  return (
    <span className={`avatar is-${size}`} aria-hidden={alt === '' || undefined}>
      {isPicture ? (
        <img src={src} alt={alt} width={64} height={64} onError={() => setBroken(src)} />
      ) : (
        initials(name)
      )}
    </span>
  );
};
