import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS } from '@shortlist/local/system/processes';
import { newUser } from '../../harness/client.ts';
import { residentMegabytes } from '../../harness/resident-megabytes.ts';
import { compareWithThin, type Fixture, withGateway } from './gateway-fixture.ts';
import { type Load, measureInTurns, type Print, printCompared, requesting, SECONDS } from './measure.ts';
import { peakMegabytes, resetPeakMemory } from './surroundings.ts';

/** Just under the product's limit for a picture, 5 MiB. */
const PICTURE_BYTES = 5_000_000;
/** As many as bff takes at a time. */
const FORMS = 7;
/** After a round, bff still holds the forms that the generator has cut off, and would refuse new ones. */
const PAUSE_MS = 500;

const compareReads = (title: string, path: string, print: Print): Promise<void> =>
  withGateway((gateway) => compareWithThin(gateway, { title, path, headers: gateway.admin }, print));

/** P1 a session check through bff, beside the same with bare node:http and one Redis GET. */
export const benchSession = (print: Print): Promise<void> =>
  compareReads('P1 session check', '/api/check_authentication', print);

/** P2 a proxied GET with a session, beside the same with bare node:http and undici. */
export const benchProxy = (print: Print): Promise<void> =>
  compareReads('P2 proxied GET', '/api/users?limit=5', print);

const pictureForm = async (): Promise<Pick<Load, 'body' | 'headers'>> => {
  const form = new FormData();
  form.set('userData', JSON.stringify(newUser()));
  form.set('file', new Blob([Buffer.alloc(PICTURE_BYTES, 1)], { type: 'image/png' }), 'picture.png');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { body: Buffer.from(await encoded.arrayBuffer()), headers };
};

const measurePosts = (gateway: Fixture, print: Print): Promise<void> => {
  const body = Buffer.from(JSON.stringify({ reason: 'email_found', reference: 'x'.repeat(956) }));
  const headers = { 'content-type': 'application/json', ...gateway.user };
  const title = `P3 proxied POST of ${body.length} bytes`;
  return compareWithThin(gateway, { title, path: '/api/credits/spend', headers, body }, print);
};

const measureForms = async ({ start, admin, upstream }: Fixture, print: Print): Promise<void> => {
  const { pid, url } = await start('bff', NODE_FLAGS); // the flags decide on the memory
  const form = await pictureForm();
  const load = {
    ...form,
    url: `${url}/signup`,
    connections: FORMS,
    headers: { ...form.headers, ...admin },
  };
  const before = residentMegabytes(pid);
  resetPeakMemory(pid);
  const { name, measure } = requesting('sign-up with a picture of 5 MB', load);
  const afterPause = (seconds: number) => sleep(PAUSE_MS).then(() => measure(seconds));
  const forms = await measureInTurns([{ name, measure: afterPause }]);
  printCompared(print, `P3 forms, ${FORMS} at once`, forms);
  print(`  memory ${before.toFixed(0)} MB, grew by ${(peakMegabytes(pid) - before).toFixed(0)} MB`);
  // The responses say only that the upstream saw the end of each body.
  const least = (forms[0]?.perSecond ?? []).reduce((sum, rate) => sum + rate * SECONDS * PICTURE_BYTES, 0);
  if (upstream.receivedBytes() < least) throw new Error('the upstream received less than was sent');
};

/**
 * P3 a proxied POST of 1 kB, beside the same with bare node:http and undici; and how much the memory grows during sign-ups with a
 * picture, which bff reads and validates.
 */
export const benchUpload = (print: Print): Promise<void> =>
  withGateway(async (gateway) => {
    await measurePosts(gateway, print);
    await measureForms(gateway, print);
  });
