import { type ConnectionCreated, connectionCreated } from '@shortlist/contracts/events/identity';
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

describe('the mail about a connected tool', () => {
  it('names the tool, its device and its rights, and is sent once for duplicate events', async () => {
    const mail = await mailAbout();
    expect(mail?.subject).toBe('You connected a new tool');
    expect(mail?.text).toContain('Tool: Automation bot\nDevice: MacBook of Marta\n');
    expect(mail?.text).toContain('It can: see your credits and use your credits\n');
    expect(mail?.text).toContain('If you did not connect this tool, disconnect it now');
    expect(mail?.text).toContain('See your connections: https://shortlist.test/connections');
  });

  it('I6 leaves a device out that names a page, as one that the tool does not name', async () => {
    for (const device of ['Log in at evil.example', '']) {
      const mail = await mailAbout({ device });
      expect(mail?.text).not.toContain('Device:');
      expect(JSON.stringify(mail)).not.toContain('evil');
    }
  });
});
