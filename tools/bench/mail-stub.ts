// Stands for the mail API and for profile, in a process of its own so that it takes no time of the worker under test. GET /mails returns
// how many mails it has accepted.
import { listenForParent } from './listen.ts';

const PROFILE = JSON.stringify({ data: { email: 'ada@people.test', firstName: 'Ada' } });
let accepted = 0;

await listenForParent((request, response) => {
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
