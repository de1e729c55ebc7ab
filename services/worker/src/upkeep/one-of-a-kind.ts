/** Of each kind of job one at a time: what waits for somebody holds up no other kind, and its own next beat is not far. */
export const oneOfAKind = (work: (name: string) => Promise<unknown>): ((name: string) => Promise<void>) => {
  const running = new Set<string>();
  return async (name) => {
    if (running.has(name)) return;
    running.add(name);
    try {
      await work(name);
    } finally {
      running.delete(name);
    }
  };
};
