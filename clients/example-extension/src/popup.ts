import type { FoundAddress } from './found-addresses.ts';
import { type Command, send, type View } from './messages.ts';

const find = <Found extends HTMLElement>(selector: string): Found => {
  const found = document.querySelector<Found>(selector);
  if (found === null) throw new Error(`the popup has no ${selector}`);
  return found;
};

const valueOf = (name: string): string => find<HTMLInputElement>(`input[name=${name}]`).value;

const OUTCOMES: Record<FoundAddress['state'], string> = {
  unsent: 'not sent, try again',
  held: '1 credit held',
  committed: 'charged',
  released: 'returned',
};

const lineOf = ({ address, state }: FoundAddress): HTMLLIElement => {
  const line = document.createElement('li');
  line.append(`${address}: ${OUTCOMES[state]} `);
  if (state !== 'held') return line;
  const bounced = document.createElement('button');
  bounced.textContent = 'Bounced';
  bounced.addEventListener('click', () => void perform({ kind: 'bounced', address }));
  line.append(bounced);
  return line;
};

const balanceText = (balance: View['balance']): string => {
  if (balance === null) return 'Credits left: unknown';
  const age = balance.asOf === null ? '' : `, as of ${new Date(balance.asOf).toLocaleTimeString()}`;
  return `Credits left: ${balance.available}${age}`;
};

const show = ({ isSignedIn, balance, found, problem }: View): void => {
  find('#problem').hidden = problem === null;
  find('#problem').textContent = problem;
  find('#sign-in').hidden = isSignedIn;
  find('main').hidden = !isSignedIn;
  find('#balance').textContent = balanceText(balance);
  find('ul').replaceChildren(...found.map(lineOf));
};

const setBusy = (isBusy: boolean): void => {
  for (const button of document.querySelectorAll('button')) button.disabled = isBusy;
};

/** One command at a time. */
const perform = async (command: Command): Promise<void> => {
  setBusy(true);
  try {
    show(await send(command));
  } finally {
    setBusy(false);
  }
};

find('#sign-in').addEventListener('click', () => void perform({ kind: 'signIn' }));
find('#sign-out').addEventListener('click', () => void perform({ kind: 'signOut' }));
find('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void perform({ kind: 'find', name: valueOf('name'), domain: valueOf('domain') });
});
await perform({ kind: 'show' });
