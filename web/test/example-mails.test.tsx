import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { logInAdmin, openApp } from './render-app.tsx';

const MAIL = { name: 'credits_low', subject: 'You are running low on credits', canTurnOff: true };
const HTML =
  '<!doctype html><html><head><title>x</title></head><body><script>alert(1)</script>Hi</body></html>';

const open = (address: string, handlers: Parameters<typeof fakeServer>[0] = {}) => {
  logInAdmin();
  const server = fakeServer({
    exampleMails: () => ({ data: [MAIL] }),
    exampleMail: () => ({ data: { ...MAIL, text: 'Hi\n\nYou have 4 credits.', html: HTML } }),
    ...handlers,
  });
  return { ...server, ...openApp(address) };
};

describe('the page of the emails', () => {
  test('lists them by subject, and leads to each', async () => {
    const { user } = open('/admin/emails');
    expect(await screen.findByText(MAIL.subject)).toBeVisible();
    expect(screen.getByText('Can be turned off')).toBeVisible();
    await user.click(screen.getByRole('link', { name: `Show the email: ${MAIL.subject}` }));
    expect(await screen.findByRole('heading', { name: MAIL.subject })).toBeVisible();
  });

  test('shows an email in a frame that may run no script and open nothing, and as text', async () => {
    open('/admin/emails?name=credits_low');
    const frame = await screen.findByTitle(MAIL.subject);
    expect(frame.getAttribute('sandbox')).toBe('');
    expect(frame.getAttribute('srcdoc')).toContain('<base target="_blank">');
    expect(screen.getByText(/You have 4 credits\./)).toBeVisible();
  });

  test('sends a test to the admin, and says when there were too many', async () => {
    let isLimited = false;
    const { user, requestsTo } = open('/admin/emails?name=credits_low', {
      sendExampleMail: () => {
        if (isLimited) throw apiFailure('request.rate_limited');
        return { message: 'requested' };
      },
    });
    const send = await screen.findByRole('button', { name: 'Send me a test' });
    await user.click(send);
    expect(await screen.findByText('The test is on its way to your email')).toBeVisible();
    expect(requestsTo('sendExampleMail').map(({ params }) => params['name'])).toEqual(['credits_low']);
    isLimited = true;
    await user.click(send);
    expect(await screen.findByText(/Too many|too many|later/)).toBeVisible();
  });
});
