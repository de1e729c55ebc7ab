import ArrowUp from 'lucide-react/icons/arrow-up';
import { useEffect, useState, type ReactNode } from 'react';
import { shellText } from '../../messages/shell.ts';
import { IconButton } from '../../ui/button.tsx';

const VISIBLE_AFTER_PX = 250;

export const BackToTop = (): ReactNode => {
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    const listener = (): void => setIsVisible(window.scrollY > VISIBLE_AFTER_PX);
    listener();
    window.addEventListener('scroll', listener, { passive: true });
    return () => window.removeEventListener('scroll', listener);
  }, []);
  if (!isVisible) return null;
  const handleClick = (): void => {
    window.scrollTo({ top: 0 });
    document.querySelector('h1')?.focus({ preventScroll: true });
  };
  return (
    <IconButton
      className="back-to-top"
      variant="plain"
      label={shellText('backToTop')}
      icon={<ArrowUp size={18} strokeWidth={1.75} aria-hidden="true" />}
      onClick={handleClick}
    />
  );
};
