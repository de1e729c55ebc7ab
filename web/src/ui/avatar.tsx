import { useState, type ReactNode } from 'react';

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
