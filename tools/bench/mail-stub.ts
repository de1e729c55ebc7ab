// Stands for the mail API and for profile, in a process of its own so that it takes no time of the worker under test. Prints its port
// when it listens; GET /mails returns how many mails of worker it has accepted.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

let accepted = 0;
const PROFILE = JSON.stringify({ data: { email: 'ada@people.test', firstName: 'Ada' } });

const acceptMail = async (request: IncomingMessage): Promise<number> => {
  const mail = await text(request);
  const { from, personalizations } = JSON.parse(mail) as Record<string, unknown>;
  if (from === undefined || personalizations === undefined) return 400;
  if (mail.includes('"mail_id"')) accepted += 1;
  return 202;
};

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const json = { 'content-type': 'application/json' };
  if (request.method === 'POST')
    acceptMail(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  else response.writeHead(200, json).end(request.url === '/mails' ? JSON.stringify({ accepted }) : PROFILE);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
