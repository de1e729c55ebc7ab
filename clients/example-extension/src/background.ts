// The service worker: signs in, keeps the tokens, and charges. Chrome ends it when it is idle, so what must last is in the storage.
// An app of your own imports it from '@shortlist/client'.
import { createClient, createConnection, ShortlistError, type Storage } from '../../typescript/src/client.ts';
import { createFoundAddresses } from './found-addresses.ts';
import type { Command, View } from './messages.ts';

declare const SHORTLIST_URL: string;
declare const CLIENT_ID: string;

const { local } = chrome.storage;
// The tokens are not for scripts in pages.
void local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });

const storage: Storage = {
  get: async (name) => (await local.get<string>(name))[name],
  set: (name, value) => local.set({ [name]: value }),
};
const connection = createConnection({ url: SHORTLIST_URL, clientId: CLIENT_ID, storage });
const shortlist = createClient({ url: SHORTLIST_URL, key: connection, storage });
const addresses = createFoundAddresses(shortlist, connection);

/** PKCE and the check of `state` are in `connectBrowser`. */
const connect = (): Promise<void> =>
  connection.connectBrowser({
    scopes: ['credits:read', 'credits:charge'],
    redirectUri: chrome.identity.getRedirectURL(),
    open: (url) => chrome.identity.launchWebAuthFlow({ url, interactive: true }),
  });

let signIn: Promise<void> | undefined;

/** Ends the connection at the server, too. Credits that are held return within the hour. */
const signOut = async (): Promise<void> => {
  try {
    await connection.disconnect();
  } finally {
    await chrome.alarms.clearAll();
    await local.clear();
  }
};

/** Where a finder of your own belongs: this one follows the habit of most companies. */
const guessAddress = (name: string, domain: string): string =>
  `${name.trim().split(/\s+/).join('.')}@${domain.trim()}`.toLowerCase();

const run = (command: Command): Promise<void> | undefined => {
  switch (command.kind) {
    case 'signIn':
      return (signIn ??= connect().finally(() => (signIn = undefined)));
    case 'signOut':
      return signOut();
    case 'find':
      return addresses.hold(guessAddress(command.name, command.domain));
    case 'bounced':
      return addresses.settle(command.address, 'released');
    case 'show':
      return undefined;
  }
};

const readBalance = async (): Promise<View['balance']> => {
  const { credits, isStale, receivedAt } = await shortlist.entitlements();
  return { available: credits.available, asOf: isStale ? receivedAt : null };
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof ShortlistError)) return (error as Error).message;
  return error.code === 'oauth.not_connected' ? 'You were signed out. Sign in again.' : error.title;
};

/** Does what the popup wants. A read that fails does not hide why the command has failed. */
const respond = async (command: Command): Promise<View> => {
  const view: View = { isSignedIn: false, balance: null, found: [], problem: null };
  const note = (error: unknown): void => void (view.problem ??= messageOf(error));
  await Promise.resolve(run(command)).catch(note);
  if (await connection.isConnected())
    view.balance = await readBalance().catch((error: unknown) => (note(error), null));
  // Known only now: the read may have shown that the user has disconnected the app.
  view.isSignedIn = await connection.isConnected();
  if (view.isSignedIn) view.found = await addresses.list();
  return view;
};

chrome.runtime.onMessage.addListener<Command>((command, _sender, reply) => {
  void respond(command).then(reply);
  return true;
});
// A commit that fails is tried again by the alarm itself.
chrome.alarms.onAlarm.addListener(
  ({ name }) => void addresses.settle(name, 'committed').catch(() => undefined),
);
// The listener has the browser start the worker when it starts itself.
chrome.runtime.onStartup.addListener(() => undefined);
void addresses.restoreAlarms();
