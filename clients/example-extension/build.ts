// Builds the extension for one installation: node build.ts <address of the installation> <client id> [folder]
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
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
for (const file of ['manifest.json', 'src/popup.html'])
  cpSync(join(HERE, file), join(folder, basename(file)));
