import X from 'lucide-react/icons/x';
import { useEffect, useState, type ReactNode } from 'react';

const SHOWN_MS = 6_000;

type Item = { id: string; text: string };

const ToastItem = ({ item, onDismiss }: { item: Item; onDismiss: (id: string) => void }): ReactNode => {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => onDismiss(item.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, item.id, onDismiss]);
  return (
    <div className="toast" onMouseEnter={() => setIsHeld(true)} onMouseLeave={() => setIsHeld(false)}>
      {item.text}
      <button
        type="button"
        className="alert-dismiss"
        aria-label="Dismiss message"
        onClick={() => onDismiss(item.id)}
      >
        <X size={16} aria-hidden="true" />
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
