// Stands for the mail API and for profile, in a process of its own so that it takes no time of the worker under test. Prints its port
// when it listens; GET /mails returns how many mails it has accepted.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PROFILE = JSON.stringify({ data: { email: 'ada@people.test', firstName: 'Ada' } });
let accepted = 0;

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  request.resume();
  request.once('end', () => {
    if (request.url?.startsWith('/v3/mail/send')) {
      accepted += 1;
      return response.writeHead(202).end();
    }
    const body = request.url === '/mails' ? JSON.stringify({ accepted }) : PROFILE;
    return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
