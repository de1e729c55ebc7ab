import {
  CONNECTION_ENDS,
  type ConnectionCreated,
  connectionCreated,
  type ConnectionEnded,
  connectionEnded,
} from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const CONNECTION: ConnectionCreated = {
  connectionId: uuidv7(),
  name: 'Automation bot',
  scopes: ['credits:read', 'credits:charge'],
  device: 'MacBook of Marta',
};

const mailAbout = async (change: Partial<ConnectionCreated> = {}) => {
  const userId = worker.addUser();
  const event = await worker.publish(connectionCreated, userId, { ...CONNECTION, ...change });
  await worker.publishAgain(event, connectionCreated.topic);
  await worker.send(userId);
  const mails = await worker.sent(userId);
  expect(mails).toHaveLength(1);
  return mails[0];
};

describe('the email about a connected app', () => {
  it('names the app, its device and its scopes, and is sent once for duplicate events', async () => {
    const mail = await mailAbout();
    expect(mail?.subject).toBe('An app was connected to your account');
    expect(mail?.text).toContain('App: Automation bot\nDevice: MacBook of Marta\n');
    expect(mail?.text).toContain('Permissions: read your credits and use your credits\n');
    expect(mail?.text).toContain('If you did not connect this app, disconnect it now');
    expect(mail?.text).toContain('See your connections: https://shortlist.test/connections');
  });

  it('I6 leaves out a device name with a URL, as if the app named none', async () => {
    for (const device of ['Log in at evil.example', '']) {
      const mail = await mailAbout({ device });
      expect(mail?.text).not.toContain('Device:');
      expect(JSON.stringify(mail)).not.toContain('evil');
    }
  });
});

const ENDED: ConnectionEnded = {
  connectionId: uuidv7(),
  reason: 'reuse',
  name: 'Automation bot',
  device: 'MacBook of Marta',
  browser: 'Firefox',
  system: 'macOS',
};

describe('the email about an app whose token was used twice', () => {
  const mailsAbout = async (change: Partial<ConnectionEnded> = {}) => {
    const userId = worker.addUser();
    const event = await worker.publish(connectionEnded, userId, { ...ENDED, ...change });
    await worker.publishAgain(event, connectionEnded.topic);
    await worker.send(userId);
    return worker.sent(userId);
  };

  it('says which app and device, when, why, and what to do, once for duplicate events', async () => {
    const mails = await mailsAbout();
    expect(mails).toHaveLength(1);
    const text = mails[0]?.text;
    expect(mails[0]?.subject).toBe('We disconnected an app to protect your account');
    expect(text).toMatch(/We disconnected an app from your Shortlist account on [A-Z][a-z]+ \d+, \d{4}/);
    expect(text).toContain('App: Automation bot\nDevice: MacBook of Marta\n');
    expect(text).toContain('someone may have copied the token');
    expect(text).toContain('Connect the app again only if you trust the device.');
    expect(text).toContain('See your connections: https://shortlist.test/connections');
  });

  it('I6 names the browser if a device has no name, or a name with a URL', async () => {
    for (const device of ['Log in at evil.example', '']) {
      const [mail] = await mailsAbout({ device });
      expect(mail?.text).toContain('Device: Firefox on macOS\n');
      expect(JSON.stringify(mail)).not.toContain('evil');
    }
  });

  it.each(CONNECTION_ENDS.filter((reason) => reason !== 'reuse'))(
    'is not sent after the end: %s',
    async (reason) => {
      expect(await mailsAbout({ reason })).toEqual([]);
    },
  );
});
