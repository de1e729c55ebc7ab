import { useCallback, useState } from 'react';

/** Copies a text and remembers that it did. */
export const useCopy = () => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = useCallback(async (text: string): Promise<void> => {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false, // without the permission, the text is still there to select
    );
    setIsCopied(isDone);
  }, []);
  return { isCopied, copy };
};
