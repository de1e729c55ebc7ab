/** Whether `url` is answered well by now. */
export const answers = async (url: string): Promise<boolean> => {
  try {
    const reply = await fetch(url, {
      signal: AbortSignal.timeout(2_000),
      headers: { connection: 'close' },
    });
    await reply.body?.cancel();
    return reply.ok;
  } catch {
    return false;
  }
};
