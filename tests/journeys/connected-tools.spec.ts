import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { mailSubjects, newUser } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { registerTool } from '../../harness/tools.ts';
import { submitLogIn } from './log-in-page.ts';

const BOT = join(import.meta.dirname, '../../clients/example-bot/src/main.ts');
const run = promisify(execFile);

type Shown = { address: string; code: string };
type Bot = { env: Record<string, string>; folder: string };

const createBot = async ({ publicUrl }: System, clientId: string): Promise<Bot> => {
  const folder = await mkdtemp(join(tmpdir(), 'bot-'));
  const own = { SHORTLIST_URL: publicUrl, SHORTLIST_CLIENT_ID: clientId, SHORTLIST_FOLDER: folder };
  return { folder, env: { ...(process.env as Record<string, string>), ...own } };
};

const runBot = async ({ env }: Bot, ...input: string[]): Promise<string> =>
  (await run(process.execPath, [BOT, ...input], { env })).stdout;

/** What a bot says that ends with an error. */
const failingBot = ({ env }: Bot, ...input: string[]): Promise<string> =>
  run(process.execPath, [BOT, ...input], { env }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );

/** Starts a bot that is not connected. `code` is what its screen shows; `said` is all that it said in the end. */
const startBot = async ({ env }: Bot) => {
  const child = spawn(process.execPath, [BOT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(output)));
  await expect.poll(() => output).toContain('enter ');
  const [, address = '', code = ''] = /Open (\S+) and enter (\S+)/.exec(output) ?? [];
  return { address, code, ended };
};

const enterCode = async (page: Page, code: string): Promise<void> => {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(`Does the app show this code? ${code}`)).toBeVisible();
};

/** Logs in on the way to the page, and enters the code. */
const approve = async (page: Page, user: { email: string; password: string }, { address, code }: Shown) => {
  await page.goto(address);
  await submitLogIn(page, user);
  await enterCode(page, code);
  await expect(page.getByRole('heading', { name: 'Connect Automation bot?' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Automation bot is connected' })).toBeVisible();
};

test('D8 D9 the example bot connects by a code that its user compares, charges, and ends with one press', async ({
  page,
  system,
}) => {
  const { user } = await registerWithKey(system);
  const bot = await createBot(system, await registerTool(system));
  const { address, code, ended } = await startBot(bot);
  expect(address).toBe(`${system.publicUrl}/connect`);

  await approve(page, { ...newUser(), ...user }, { address, code });
  expect(await ended).toContain(`Amara Okafor <${user.email}>\nCredits left: 500 of 500 (premium)\n`);
  for (const file of await readdir(bot.folder))
    expect((await stat(join(bot.folder, file))).mode & 0o777).toBe(0o600);
  await expect.poll(() => mailSubjects(system, user.email)).toContain('An app was connected to your account');

  expect(await runBot(bot, 'charge', 'ada@engines.example')).toContain('1 charged, 499 left');
  await system.process('bff').stop();
  expect(await runBot(bot, 'charge', 'grace@engines.example')).toContain(
    'The charge will be sent when the server can be reached',
  );
  await system.process('bff').restart();
  expect(await runBot(bot, 'charge', 'edsger@engines.example')).toContain('Waiting charges sent: 1');
  expect(await runBot(bot, 'usage')).toMatch(/email_found {2}3 charged, 0 returned\n$/);

  await page.goto('/credits');
  await expect(page.getByRole('row', { name: /ada@engines\.example.*Automation bot/ })).toBeVisible();
  await page.getByRole('link', { name: 'Connections' }).click();
  const line = page.getByRole('region', { name: 'Apps' }).getByRole('listitem');
  await expect(line).toContainText('Used today');
  await page.getByRole('button', { name: 'Disconnect Automation bot' }).click();
  await expect(page.getByText('No apps yet')).toBeVisible();
  expect(await failingBot(bot, 'usage')).toContain('oauth.not_connected');
  await page.goto('/credits');
  await expect(page.getByRole('row', { name: /ada@engines\.example.*Automation bot/ })).toBeVisible();
  await rm(bot.folder, { recursive: true });
});
