import { expect, it } from 'vitest';
import { deviceOf } from '../src/http/sign-in-origin.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0',
    'Firefox',
    'macOS',
  ],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [`${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
  [`${IPHONE} CriOS/130.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
  [`${WINDOWS} Chrome/130.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`${WINDOWS} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`, 'Edge', 'Windows'],
  [`${WINDOWS} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`, 'Opera', 'Windows'],
  [`${ANDROID} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`, 'Samsung Internet', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0.0.0 Safari/537.36', 'Chrome', 'Linux'],
  ['curl/8.5.0', 'curl', ''],
  ['<script>alert(1)</script>', '', ''],
  ['', '', ''],
])('%s is %s on %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});

it('a client without the header, or with a very long one, has no known device', () => {
  expect(deviceOf(undefined)).toEqual({ browser: '', system: '' });
  expect(deviceOf(`${'a'.repeat(1_000)} Firefox/130.0`)).toEqual({ browser: '', system: '' });
});
