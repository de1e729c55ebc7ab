import { connect } from 'node:net';
import { until } from '@shortlist/kit/testing/until';
import { expect, it } from 'vitest';
import { useBff } from './support.ts';

const bff = await useBff();

it('a log-in whose client leaves ends at identity too', async () => {
  bff.upstream.respond = () => undefined; // the hash waits in the queue
  const body = JSON.stringify({ email: 'gone@talent.test', password: 'open sesame' });
  const socket = connect(bff.port, '127.0.0.1');
  socket.write(
    [
      'POST /login HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  await until('the request at identity', () => bff.upstream.requests.length === 1);
  expect(bff.upstream.requests[0]?.aborted).toBe(false);
  socket.destroy();
  await until('its end', () => bff.upstream.requests[0]?.aborted === true);
});
