import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import X from 'lucide-react/icons/x';
import { useEffect, useState, type ReactNode } from 'react';
import { controlText } from '../messages/controls.ts';

const VISIBLE_MS = 6_000;

type Item = { id: string; text: string; isBad: boolean };

const ToastItem = ({ item, onDismiss }: { item: Item; onDismiss: (id: string) => void }): ReactNode => {
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setTimeout(() => onDismiss(item.id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [isPaused, item.id, onDismiss]);
  const Icon = item.isBad ? CircleAlert : Check;
  return (
    <div
      className={item.isBad ? 'toast is-bad' : 'toast'}
      onMouseEnter={() => setIsHovered(true)}
      onMouseLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <p>{item.text}</p>
      <button
        type="button"
        className="toast-dismiss"
        aria-label={controlText('dismissMessage')}
        onClick={() => onDismiss(item.id)}
      >
        <X size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
};

type ToastListProps = { items: Item[]; onDismiss: (id: string) => void };

export const ToastList = ({ items, onDismiss }: ToastListProps): ReactNode => (
  <div className="toasts" role="status" aria-live="polite">
    {items.map((item) => (
      <ToastItem key={item.id} item={item} onDismiss={onDismiss} />
    ))}
  </div>
);
