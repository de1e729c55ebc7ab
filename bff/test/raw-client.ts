import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type RawReply = { status: number; body: string };

/** The body of a whole response; null until it has arrived. */
const bodyOf = (text: string): string | null => {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  const isWhole = length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length);
  return isWhole ? body : null;
};

/** A kept connection that sends written requests one after the other. It costs the processor little beside what the server does. */
export const openRawClient = async (
  port: number,
): Promise<{ send: (request: Buffer) => Promise<RawReply>; close: () => void }> => {
  const connectNew = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    return socket;
  };
  let socket = await connectNew();
  const read = (): Promise<RawReply> =>
    new Promise((resolve, reject) => {
      let text = '';
      const finish = (settle: () => void): void => {
        socket.off('data', onData).off('close', onClose);
        settle();
      };
      const onClose = (): void => finish(() => reject(new Error(`closed after ${text}`)));
      const onData = (chunk: Buffer): void => {
        text += chunk.toString('latin1');
        const body = bodyOf(text);
        if (body === null) return;
        if (/^connection: close\r$/im.test(text)) socket.destroy(); // the server ends it, a moment later
        finish(() => resolve({ status: Number(text.slice(9, 12)), body }));
      };
      socket.on('data', onData).on('close', onClose);
    });
  return {
    send: async (request) => {
      if (socket.destroyed) socket = await connectNew();
      const reply = read();
      socket.write(request);
      return reply;
    },
    close: () => void socket.destroy(),
  };
};
