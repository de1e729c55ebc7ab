import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Certificates = { authority: string; certificate: string; key: string; keyAndCertificate: string };

/** Makes an authority and a certificate of it for localhost and 127.0.0.1 with openssl, for so many days. Returns the paths of the files. */
export const makeCertificates = async (directory: string, days = 1): Promise<Certificates> => {
  const path = (name: string): string => join(directory, name);
  const openssl = (...options: string[]) => run('openssl', options, { timeout: 30_000 });
  const newKey = (name: string) => [
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    path(name),
    '-days',
    String(days),
  ];
  await openssl(
    ...['req', '-x509', ...newKey('authority.key'), '-subj', '/CN=Test authority'],
    ...['-out', path('authority.pem')],
  );
  await openssl(
    'req',
    ...newKey('server.key').slice(0, -2),
    '-subj',
    '/CN=localhost',
    '-out',
    path('server.csr'),
  );
  await writeFile(path('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  await openssl(
    ...['x509', '-req', '-in', path('server.csr'), '-days', String(days), '-extfile', path('names')],
    ...['-CA', path('authority.pem'), '-CAkey', path('authority.key'), '-CAcreateserial'],
    ...['-out', path('server.pem')],
  );
  const parts = [path('server.key'), path('server.pem')];
  const contents = await Promise.all(parts.map((part) => readFile(part, 'utf8')));
  await writeFile(path('both.pem'), contents.join(''));
  return {
    authority: path('authority.pem'),
    certificate: path('server.pem'),
    key: path('server.key'),
    keyAndCertificate: path('both.pem'),
  };
};
