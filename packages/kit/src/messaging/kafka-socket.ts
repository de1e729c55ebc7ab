import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { minutes } from '@shortlist/contracts/durations';
import { reportConnection } from '../process/certificates.ts';
import type { Log } from '../process/log.ts';
import { correlationIdOf, createResponseCollector, fetchIn, readableResponse } from './fetch-response.ts';

type Options = Parameters<ISocketFactory>[0];

/** Connects like kafkajs itself. */
const connect = ({ host, port, ssl, onConnect }: Options): Socket => {
  const named = isIP(host) ? {} : { servername: host };
  const socket = ssl
    ? connectTls({ host, port, ...named, ...ssl }, onConnect)
    : connectTcp({ host, port }, onConnect);
  if (ssl) socket.once('secureConnect', () => reportConnection({ server: 'kafka', socket }));
  return socket.setKeepAlive(true, minutes(1));
};

/**
 * Opens connections for kafkajs on which every fetch response arrives in a form that kafkajs can decode. kafkajs writes each request in one
 * call, and receives by the `data` event.
 */
export const createSocketFactory =
  (log: Log): ISocketFactory =>
  (options) => {
    const socket = connect(options);
    const fetches = new Set<number>();
    const collect = createResponseCollector();
    const readable = (response: Buffer): Buffer => {
      const id = correlationIdOf(response);
      if (id === null || !fetches.delete(id)) return response;
      try {
        return readableResponse(response);
      } catch (error) {
        log.error({ err: error }, 'response to a fetch not understood');
        return response; // kafkajs may understand it
      }
    };
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    const on = socket.on.bind(socket) as (event: string, listener: (...args: never[]) => void) => Socket;
    return Object.assign(socket, {
      write: (request: unknown, ...rest: unknown[]): boolean => {
        const id = Buffer.isBuffer(request) ? fetchIn(request) : null;
        if (id !== null) fetches.add(id);
        return write(request, ...rest);
      },
      on: (event: string, listener: (...args: never[]) => void): Socket => {
        if (event !== 'data') return on(event, listener);
        const onResponse = listener as (response: Buffer) => void;
        return on(event, (chunk: Buffer) =>
          collect(chunk).forEach((response) => onResponse(readable(response))),
        );
      },
    });
  };
