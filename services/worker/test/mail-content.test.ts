import { describe, expect, it } from 'vitest';
import { exampleMails } from '../src/mail/example-mails.ts';
import { writeMail } from '../src/mail/templates.ts';

const MAX_BYTES = 30 * 1024;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

const decoded = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');

/** The visible text of the HTML, without the preview. */
const visible = (html: string): string => {
  const [, body = ''] = html.split(/<body[^>]*>/);
  return decoded(
    body
      .replace(/<div style="display:none.*?<\/div>/s, '')
      .replace(/<!--.*?-->/gs, '')
      .replace(/<[^>]+>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();
};

const preheaderOf = (html: string): string =>
  decoded(/<div style="display:none[^>]*>(.*?)&#847;/s.exec(html)?.[1] ?? '').trim();

const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a\s[^>]*href="([^"]*)"/g)].map(([, url = '']) => decoded(url));

describe.each(exampleMails())('the email %s', (name, { subject, text, html }) => {
  it('is small, and has one button with the same link as the text', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES);
    const [url = '', ...more] = linksOf(html);
    expect(more).toEqual(name === 'news' ? ['https://shortlist.test/unsubscribe'] : []);
    expect(text).toContain(`: ${url}\n`);
    expect(url).toMatch(/^https:\/\/(shortlist|pay\.stripe)\.test\//);
  });

  it('loads no external content', () => {
    expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio|form)\b/i);
    expect(html).not.toMatch(/\b(src|background|action)\s*=|url\(|@import/i);
  });

  it('has its own preview, without a code', () => {
    const preheader = preheaderOf(html);
    expect(preheader.length).toBeGreaterThan(20);
    expect(text).toContain(preheader);
    expect(preheader).not.toMatch(/\d{6}/);
  });

  it('has the same content as text', () => {
    const shown = visible(html);
    const lines = text
      .split('\n')
      .map((line) => line.replace(/: https:\S+$/, '').trim())
      .filter((line) => line !== '');
    // A fact is a row: its label and its value stand in cells of their own.
    const said = lines.map((line) => (shown.includes(line) ? line : line.replace(': ', ' ')));
    for (const line of said) expect(shown).toContain(line);
    const count = (words: string): number => words.split(/\s+/).length;
    expect(count(shown)).toBe(count([subject, ...said].join(' ')));
  });

  it('has a plain subject and no unfilled placeholder', () => {
    expect(subject).toMatch(/^[A-Z][^!\n]{5,60}$/);
    expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
  });
});

it.each([
  'welcome',
  'verify_email',
  'confirm_reminder',
  'confirm_registration',
  'confirm_new_email',
  'password_reset',
  'admin_invitation',
  'data_ready',
])('%s has its button before the sentence for a person who did not ask for it', (name) => {
  const mail = new Map(exampleMails()).get(name);
  const parts = mail?.text.split('\n\n') ?? [];
  const button = parts.findIndex((part) => /: https:\/\/\S+$/.test(part));
  expect(parts.findIndex((part) => /^If you did not/.test(part))).toBe(button + 1);
  const html = mail?.html ?? '';
  expect(html.indexOf('If you did not')).toBeGreaterThan(html.indexOf('class="button"'));
});

it('news say at the end why they come, and have the link that turns them off', () => {
  const link = 'https://shortlist.test/unsubscribe?token=news.1.x&y="';
  const { text, html } = writeMail('news', {
    recipient: { email: 'a@people.test', firstName: 'Ada' },
    brand: 'Shortlist',
    publicUrl: 'https://shortlist.test',
    unsubscribeLink: link,
    data: { subject: 'Three tips', text: 'Write less.' },
  });
  const why = 'You get this email because news and tips from Shortlist are on in your profile.';
  expect(text).toContain(`\n\n${why}\nTurn off these emails: ${link}\n\nShortlist\n`);
  expect(linksOf(html)).toEqual(['https://shortlist.test/', link]);
  expect(html.indexOf(why)).toBeGreaterThan(html.indexOf('class="button"'));
});

describe('a code', () => {
  it('is on a separate line', () => {
    const mails = new Map(exampleMails());
    for (const name of ['welcome', 'verify_email', 'confirm_reminder', 'confirm_new_email'])
      expect(mails.get(name)?.text).toMatch(/\n\n204815\n\n/);
  });
});

describe('I6 a text in an email', () => {
  const write = (firstName: string, brand = 'Shortlist') =>
    writeMail('welcome', {
      recipient: { email: 'a@people.test', firstName },
      brand,
      publicUrl: 'https://shortlist.test',
      data: {},
    });

  it.each(['<b>x</b>', '"><img src=x onerror=alert(1)>', '</td></table><script>alert(1)</script>', '&lt;'])(
    'is escaped: %s',
    (name) => {
      const { html, text } = write(name);
      const plain = write('x').html;
      const tags = (of: string): number => [...of.matchAll(/<\w/g)].length;
      expect(tags(html)).toBe(tags(plain));
      expect(visible(html)).toContain(`Hello ${name},`.replace(/\s+/g, ' '));
      expect(text).toContain(`Hello ${name},`);
    },
  );

  it.each(['{{url}}', '{{brand}}', '$&', '$1', "$'", '<!-- lines -->'])(
    'fills no placeholder: %s',
    (name) => {
      expect(visible(write(name).html)).toContain(`Hello ${name},`);
    },
  );

  it('of a subject is one line', () => {
    expect(write('Ada', 'Short\r\nBcc: all').subject).toBe('Welcome to Short Bcc: all');
  });
});
