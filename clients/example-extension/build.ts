// Builds the extension for one installation: node build.ts <address of the installation> <client id> [folder]
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const HERE = import.meta.dirname;

const [url, clientId, folder = join(HERE, 'dist')] = process.argv.slice(2);
if (!url || !clientId)
  throw new TypeError('node build.ts <address of the installation> <client id> [folder]');

rmSync(folder, { recursive: true, force: true });
await build({
  input: { background: join(HERE, 'src/background.ts'), popup: join(HERE, 'src/popup.ts') },
  platform: 'browser',
  transform: { define: { SHORTLIST_URL: JSON.stringify(url), CLIENT_ID: JSON.stringify(clientId) } },
  output: { dir: folder, format: 'esm', entryFileNames: '[name].js' },
});
cpSync(join(HERE, 'src/popup.html'), join(folder, 'popup.html'));

const manifest = JSON.parse(readFileSync(join(HERE, 'manifest.json'), 'utf8')) as object;
const ofInstallation = { ...manifest, host_permissions: [`${new URL(url).origin}/*`] };
writeFileSync(join(folder, 'manifest.json'), JSON.stringify(ofInstallation, null, 2));
