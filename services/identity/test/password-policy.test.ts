import { createHash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { PASSWORD_PROBLEMS } from '@shortlist/contracts/password.rules';
import { createLog } from '@shortlist/kit/process/log';
import { afterEach, describe, expect, it } from 'vitest';
import { createPasswordPolicy, readCommonPasswords } from '../src/passwords.ts';

const ana = { email: 'ana.souza@talent.test', words: ['Ana', 'Souza'] };
const log = createLog('test', 'silent');
const policy = createPasswordPolicy({ min: 6, breachedUrl: '', log });
const refusal = (problem: string) => ({ code: 'request.invalid', fields: { password: problem } });

describe('A3 a new password', () => {
  it.each(['123456', 'password', 'iloveyou', 'Trustno1', 'QWERTY123', 'ｐassword', 'michael', 'liverpool1'])(
    'A3 that is common is refused: %s',
    async (password) => {
      await expect(policy({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.common));
    },
  );

  it.each([
    ['a space before', ' password1'],
    ['spaces after', 'password1   '],
    ['a tab and a line feed', '\tpassword1\n'],
    ['spaces of other scripts', '\u00a0\u3000password1\u2003'],
    ['characters of no width around it', '\u200bpassword1\u2060'],
    ['characters of no width in it', 'pass\u00adword\u200d1'],
    ['wide capitals between spaces', ' ＰＡＳＳＷＯＲＤ1 '],
    ['too few characters for the list between spaces', ' 1234 '],
    ['spaces alone', '        '],
  ])('A3 that is common apart from invisible characters is refused: %s', async (_name, password) => {
    await expect(policy({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.common));
  });

  it('A3 that is a name apart from invisible characters is refused', async () => {
    for (const password of [' Ana Souza ', 'ana\u200bsouza'])
      await expect(policy({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.personal));
    const password = ' short\u00adlist2026';
    await expect(policy({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.product));
  });

  it.each(['pass word1', 'password1 and a word', 'two  spaces '])(
    'A3 that has spaces of its own is accepted: %j',
    async (password) => {
      await policy({ ...ana, password });
    },
  );

  it.each(['shortlist', 'Shortlist2026', 'my ＳＨＯＲＴＬＩＳＴ password'])(
    'A3 that contains the name of the product is refused: %s',
    async (password) => {
      await expect(policy({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.product));
    },
  );

  it.each(['ana.souza@talent.test', 'ANA.SOUZA', 'Ana Souza', 'anasouza'])(
    'A3 that equals the email, its local part or the name is refused: %s',
    async (password) => {
      await expect(policy({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.personal));
    },
  );

  it('A3 that equals one of the names is refused', async () => {
    const words = ['Ana', 'Wolfeschlegelstein'];
    await expect(policy({ ...ana, words, password: 'wolfeschlegelstein' })).rejects.toMatchObject(
      refusal(PASSWORD_PROBLEMS.personal),
    );
  });

  it.each(['kfmqzwrtvbxhplds', 'open sesame', 'a long enough one', 'ana.souza and more'])(
    'A3 of one kind of characters is accepted: %s',
    async (password) => {
      await policy({ ...ana, password });
    },
  );

  it('A3 must be as long as the operator requires', async () => {
    const strict = createPasswordPolicy({ min: 12, breachedUrl: '', log });
    await expect(strict({ ...ana, password: 'eleven char' })).rejects.toMatchObject(
      refusal('Password must contain at least 12 characters'),
    );
  });
});

it('A3 the filter of common passwords refuses at most one of 2,000 others by chance', () => {
  const isCommon = readCommonPasswords();
  const others = Array.from({ length: 20_000 }, () => randomBytes(12).toString('base64'));
  // One of 10,000 is expected: two of these, and more than ten about once in a million runs.
  expect(others.filter(isCommon).length).toBeLessThanOrEqual(10);
});

describe('the look-up of breached passwords', () => {
  const stops: (() => void)[] = [];
  afterEach(() => stops.splice(0).forEach((stop) => stop()));

  const policyWith = async (listener: RequestListener) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    return createPasswordPolicy({ min: 6, breachedUrl: `http://127.0.0.1:${port}/range`, log });
  };
  const password = 'a breached sesame';
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase();

  it('S1 sends five characters of the hash and refuses a password that the response lists', async () => {
    const requests: string[] = [];
    const breached = await policyWith(({ url = '' }, response) => {
      requests.push(url);
      response.end(`0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n${hash.slice(5)}:42\r\n`);
    });
    await expect(breached({ ...ana, password })).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.breached));
    expect(requests).toEqual([`/range/${hash.slice(0, 5)}`]);
    await breached({ ...ana, password: 'another sesame' });
  });

  it('S1 refuses a breached password between spaces', async () => {
    const breached = await policyWith((_request, response) => void response.end(`${hash.slice(5)}:42`));
    const refused = breached({ ...ana, password: ` ${password} ` });
    await expect(refused).rejects.toMatchObject(refusal(PASSWORD_PROBLEMS.breached));
  });

  it('S1 follows no redirect', async () => {
    const requests: string[] = [];
    const redirecting = await policyWith(({ url = '' }, response) => {
      requests.push(url);
      if (url.startsWith('/range')) response.writeHead(302, { location: '/elsewhere' }).end();
      else response.end(`${hash.slice(5)}:42`);
    });
    await redirecting({ ...ana, password });
    expect(requests).toEqual([`/range/${hash.slice(0, 5)}`]);
  });

  it('S1 ignores padding, whose count is 0', async () => {
    const padded = await policyWith((_request, response) => void response.end(`${hash.slice(5)}:0`));
    await padded({ ...ana, password });
  });

  it('S1 accepts a password when the list fails or does not respond', async () => {
    const failing = await policyWith((_request, response) => void response.writeHead(503).end());
    await failing({ ...ana, password });
    const silent = await policyWith(() => undefined);
    await silent({ ...ana, password });
  });
});
