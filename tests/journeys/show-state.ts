import type { Locator, Page } from '@playwright/test';
import type { Replies } from './replies.ts';

export type Role = 'anonymous' | 'free' | 'premium' | 'admin' | 'viewed';
export type Direction = 'ltr' | 'rtl';
export type Layer = 'dialog' | 'settings' | 'drawer' | 'menu' | 'choices' | 'details';
type Name = string | RegExp;

/** What a person does in the layer, or waits for, by what it is called. */
export type Step =
  readonly ['click' | 'check' | 'see', name: Name] | readonly ['fill', field: Name, text: string];

/** What opens over a screen, or in it. */
export type Opening = {
  layer: Layer;
  /** The component of web/src that shows it, by its file. */
  component: string;
  /** The box of the page that is checked before. */
  selects?: Name;
  /** What a person presses: a button, a field or the summary of details. When the layer is closed, it has the focus. */
  opener: { button: Name } | { field: Name } | 'summary';
  /** What has to be open before the opener is there: the first details of the page. */
  inside?: 'summary';
  /** The key that is pressed, or the option that is chosen, instead of a click. */
  key?: string;
  option?: string;
  /** What leads on to the layer from what has opened first. */
  steps?: readonly Step[];
  /** What the layer requires before Escape closes it. */
  beforeClose?: readonly Step[];
};

/** A screen in a state. */
export type State = {
  name: string;
  path: string;
  as: Role;
  /** A text that appears once it has loaded. */
  ready: Name;
  /** What bff would reply to no user of the gallery. */
  replies?: Replies | undefined;
  /** Never loads completely. */
  isBusy?: true;
  /** Has no sidebar, although its user has a session. */
  isAlone?: true;
  /** The text of a bar that each page remembers from the last one: the screen is opened twice, and the second time counts. */
  bar?: string;
  opens?: Opening;
};

/** Sets the direction of the page, as another tab would, and of those that are opened in its place. */
export const setDirection = async (page: Page, direction: Direction): Promise<void> => {
  const change = { key: 'layoutSettings', newValue: JSON.stringify({ direction, scheme: 'auto' }) };
  await page.evaluate(`
    localStorage.setItem('layoutSettings', ${JSON.stringify(change.newValue)});
    dispatchEvent(new StorageEvent('storage', ${JSON.stringify(change)}));`);
};

const load = async (page: Page, { path, ready, isBusy }: State): Promise<void> => {
  await page.goto(path);
  await page.locator('.prerendered').waitFor({ state: 'detached' }); // the log-in page before its scripts, inert
  await page.locator('main').getByText(ready).first().waitFor({ timeout: 60_000 });
  if (!isBusy) await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
};

/** Opens a screen in a page of its role and waits until it has loaded. */
export const showState = async (page: Page, state: State): Promise<void> => {
  await load(page, state);
  if (state.bar === undefined) return;
  await page.locator(':is(.frame-bar, .notice-bar) p').getByText(state.bar).first().waitFor();
  await load(page, state);
};

export const openerOf = (page: Page, { opener }: Opening): Locator => {
  if (opener === 'summary') return page.locator('main summary').first();
  if ('field' in opener) return page.getByLabel(opener.field, { exact: true }).first();
  return page.getByRole('button', { name: opener.button, exact: true }).first();
};

export const perform = async (page: Page, steps: readonly Step[] = []): Promise<void> => {
  const dialog = page.getByRole('dialog');
  for (const [action, name, text = ''] of steps)
    if (action === 'fill') await page.getByLabel(name).or(page.getByPlaceholder(name)).first().fill(text);
    else if (action === 'see') await dialog.getByText(name, { exact: true }).first().waitFor();
    else if (action === 'check') await dialog.getByLabel(name).check();
    else await dialog.getByRole('button', { name, exact: true }).click();
};

/** Opens the layer of a screen that has loaded. */
export const openLayer = async (page: Page, opening: Opening): Promise<void> => {
  const { selects, inside, key, option, steps } = opening;
  if (selects !== undefined) await page.getByLabel(selects, { exact: true }).first().check();
  if (inside !== undefined && (await page.locator('main details[open]').count()) === 0)
    await page.locator('main summary').first().click();
  const opener = openerOf(page, opening);
  if (key !== undefined) await opener.press(key);
  else if (option === undefined) await opener.click();
  else await opener.focus().then(() => opener.selectOption(option));
  await perform(page, steps);
};
