import { useCallback, useState } from 'react';

/** Copies a text and remembers whether it did. A browser may refuse it; then the text is still there to select. */
export const useCopy = () => {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  const copy = useCallback(async (text: string): Promise<void> => {
    setResult(
      await navigator.clipboard.writeText(text).then(
        () => 'copied',
        () => 'refused',
      ),
    );
  }, []);
  return { isCopied: result === 'copied', isRefused: result === 'refused', copy };
};
